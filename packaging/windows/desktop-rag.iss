; Inno Setup 6: the installer for Windows. `packaging/build.py windows` passes the defines.
;
;   Version   the program's version
;   Program   the folder that PyInstaller made
;   Out       where the installer goes
;   Output    its file name without `.exe`
;   Icon      the program's icon (`.ico`)
;   Root      the project's root
;   Model     a folder with `models` to be laid into `_internal`; not given: no language model
;   SignTool  the name of the sign tool given on the command line; not given: nothing is signed

#ifndef Version
  #error Run packaging/build.py windows: it says what is to be packed.
#endif

[Setup]
; Names the program in Windows for all time; never to be changed.
AppId={{6F3E2B0C-5C0B-4E8E-9B9C-2E1A6C4D8F71}
AppName=Desktop RAG
AppVersion={#Version}
AppVerName=Desktop RAG {#Version}
AppPublisher=The Desktop RAG authors
VersionInfoVersion={#Version}
DefaultDirName={autopf}\Desktop RAG
DisableProgramGroupPage=yes
DisableDirPage=auto
LicenseFile={#Root}\LICENSE
; For this person, without an administrator; who has one may choose all users.
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog commandline
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
; What Qt 6 asks.
MinVersion=10.0.17763
OutputDir={#Out}
OutputBaseFilename={#Output}
SetupIconFile={#Icon}
UninstallDisplayIcon={app}\Desktop RAG.exe
UninstallDisplayName=Desktop RAG
Compression=lzma2/max
SolidCompression=yes
LZMAUseSeparateProcess=yes
WizardStyle=modern
ChangesAssociations=yes
; Windows tells which programs use files that are to be replaced. They are closed only when the
; person agrees; whoever says no changes nothing.
CloseApplications=yes
RestartApplications=no
SetupLogging=yes
#ifdef SignTool
SignTool={#SignTool}
SignedUninstaller=yes
#endif

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "de"; MessagesFile: "compiler:Languages\German.isl"
Name: "es"; MessagesFile: "compiler:Languages\Spanish.isl"
Name: "fr"; MessagesFile: "compiler:Languages\French.isl"
Name: "ar"; MessagesFile: "compiler:Languages\Arabic.isl"

[CustomMessages]
en.Models=Models of Desktop RAG
de.Models=Modelle von Desktop RAG
es.Models=Modelos de Desktop RAG
fr.Models=Modèles de Desktop RAG
ar.Models=نماذج Desktop RAG
en.ImportingModels=Taking in the models that lie beside this installer …
de.ImportingModels=Die Modelle neben diesem Installationsprogramm werden übernommen …
es.ImportingModels=Incorporando los modelos que están junto a este instalador…
fr.ImportingModels=Reprise des modèles placés à côté de cet installateur…
ar.ImportingModels=يجري استيراد النماذج الموجودة بجانب برنامج التثبيت هذا…
en.DataStays=Your documents' library, chats and models stay in %1. Delete that folder to remove them, too.
de.DataStays=Bibliothek, Chats und Modelle bleiben in %1. Wer auch sie entfernen will, löscht diesen Ordner.
es.DataStays=La biblioteca, los chats y los modelos quedan en %1. Elimine esa carpeta para quitarlos también.
fr.DataStays=La bibliothèque, les discussions et les modèles restent dans %1. Supprimez ce dossier pour les retirer aussi.
ar.DataStays=تبقى المكتبة والمحادثات والنماذج في %1. احذف ذلك المجلد لإزالتها أيضًا.

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; GroupDescription: "{cm:AdditionalIcons}"; Flags: unchecked

[InstallDelete]
; Modules of an older version must not be found by this one.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Program}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs
#ifdef Model
; A language model does not get smaller by compressing.
Source: "{#Model}\*"; DestDir: "{app}\_internal"; Flags: ignoreversion recursesubdirs createallsubdirs nocompression
#endif

[Icons]
Name: "{autoprograms}\Desktop RAG"; Filename: "{app}\Desktop RAG.exe"; AppUserModelID: "org.desktop_rag.DesktopRAG"
Name: "{autodesktop}\Desktop RAG"; Filename: "{app}\Desktop RAG.exe"; Tasks: desktopicon

[Registry]
Root: HKA; Subkey: "Software\Classes\.ragmodels"; ValueType: string; ValueData: "DesktopRAG.Models"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\DesktopRAG.Models"; ValueType: string; ValueData: "{cm:Models}"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\DesktopRAG.Models\shell\open\command"; ValueType: string; ValueData: """{app}\Desktop RAG.exe"" --open ""%1"""
Root: HKA; Subkey: "Software\Microsoft\Windows\CurrentVersion\App Paths\desktop-rag.exe"; ValueType: string; ValueData: "{app}\desktop-rag.exe"; Flags: uninsdeletekey

[Run]
Filename: "{app}\desktop-rag.exe"; Parameters: "models import ""{code:BundleBeside}"""; StatusMsg: "{cm:ImportingModels}"; Flags: runhidden runasoriginaluser; Check: HasBundleBeside
Filename: "{app}\Desktop RAG.exe"; Description: "{cm:LaunchProgram,Desktop RAG}"; Flags: nowait postinstall skipifsilent runasoriginaluser

[Code]
{ The models that lie beside this installer on the stick; empty when there are none. }
function BundleBeside(Param: String): String;
var
  Found: TFindRec;
begin
  Result := '';
  if FindFirst(ExpandConstant('{src}\*.ragmodels'), Found) then
  begin
    Result := ExpandConstant('{src}\') + Found.Name;
    FindClose(Found);
  end;
end;

function HasBundleBeside: Boolean;
begin
  Result := BundleBeside('') <> '';
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
begin
  if (Step = usPostUninstall) and not UninstallSilent then
    MsgBox(FmtMessage(CustomMessage('DataStays'), [ExpandConstant('{localappdata}\desktop-rag')]), mbInformation, MB_OK);
end;
