"""Questions with their kind, written by hand, in many languages, and neighbours that look alike."""

from __future__ import annotations

from desktop_rag.domain.question_kinds import QuestionKind

_EXAMPLES = {
    QuestionKind.FACT: """
        What does the contract say about pets?
        Hello, what is the notice period?
        Hi Meyer
        Which supplier delivers the valves?
        List the ingredients of the sauce.
        Quanti giorni di ferie ho?
        ¿Cuántos días de vacaciones tengo?
        Combien de jours de congé ai-je ?
        Wie groß ist das Grundstück?
        Wie viele Urlaubstage habe ich?
        What did Maria say about the roof?
        How many deaths were reported?
        Which countries signed the treaty?
        What are the opening hours?
        Who approved the budget?
        How many days of notice must I give?
        What is the maximum number of users?
        How many floors does the building have?
        How many shares did Apple repurchase in 2019?
        How many employees does Siemens have?
        How many people live in Lisbon?
        How many patients were included in the trial?
        How many employees were there at the end of 2021?
        How many documents do I need for a visa application?
        How many emails can I send per day?
        How many pages may the application have?
        How many files can be open at the same time?
        How often should the oil filter be changed?
        How often does the pump fail?
        How much does the premium plan cost?
        How long is the warranty?
        How old was Curie when she won her second prize?
        How tall is the tower?
        How does the heat pump work?
        How did the war begin?
        What is the notice period in the lease?
        What is the number of employees in Germany?
        What is the capital of Australia?
        What is the process of turning wood into charcoal known as?
        What is the procedure for the removal of a gallstone called?
        When does the contract with Meyer end?
        Who signed the agreement?
        Where is the emergency exit?
        Why was the launch delayed?
        Which document describes the vacation policy?
        Which pump is used in building 4?
        Which products does Apple sell?
        What reports are required by law?
        What does error E42 mean?
        What did the committee decide about the budget?
        What time does the office open?
        What is the weather like in Ripon in winter according to the guide?
        What was the weather during the expedition?
        Who wrote the poem about the albatross?
        Who won the election in 1896?
        What is the opinion of the expert on the crack?
        Does the policy cover water damage?
        Is smoking allowed on the balcony?
        net sales 2023
        invoice 2023-117
        2023-05-17
        555-0199
        notice period lease
        error code E42
        delete user account
        Name the inventor of the telephone.
        List the advantages of heat pumps.
        Describe the architecture of the system.
        Tell me about the merger.
        Who is Ada Lovelace?
        Wie viele Mitarbeiter hat Bosch?
        Wie viele Einwohner hat Wien?
        Wie lange läuft der Mietvertrag?
        Wie hoch ist die Kaution?
        Wie heißt der Hausmeister?
        Wie oft muss der Filter gewechselt werden?
        Wann endet der Vertrag mit Meyer?
        Welche Pumpe wird in Halle 4 verwendet?
        Was bedeutet Fehler E42?
        Wie viel Uhr beginnt die Sitzung?
        Combien d'habitants compte Lyon ?
        Combien coûte l'abonnement ?
        Quelle est la durée du bail ?
        Qui a signé le contrat ?
        ¿Cuántos habitantes tiene Sevilla?
        ¿Cuánto cuesta la suscripción?
        ¿Cuándo termina el contrato?
        Quanti abitanti ha Torino?
        Quanto dura la garanzia?
        Quando termina o contrato?
        Hoeveel inwoners heeft Utrecht?
        Wanneer eindigt het huurcontract?
        Ile kosztuje abonament?
        Сколько жителей в Казани?
        Когда заканчивается договор?
        合同什么时候到期？
    """,
    QuestionKind.COMPARISON: """
        Is plan A or plan B better?
        differences between Python 2 and 3
        Unterschied zwischen Tarif A und B
        Which of the two offers is cheaper?
        How is the old contract different from the new one?
        Compare the basic plan with the premium plan.
        What is the difference between a lease and a rental agreement?
        What are the differences between version 1 and version 2 of the contract?
        How does the 2023 report differ from the 2022 report?
        How do the two offers compare?
        Contrast the two proposals.
        Which is cheaper, the offer of Schmidt or the one of Weber?
        Which plan is better for families: basic or premium?
        Is the new pump more efficient than the old one?
        Basic plan vs premium plan
        iPhone versus Pixel battery life
        How high were the costs in 2023 compared to 2022?
        What do the two contracts have in common?
        Could you please compare the warranty terms of both machines?
        Vergleiche die beiden Angebote.
        Was ist der Unterschied zwischen Miete und Pacht?
        Worin unterscheiden sich Version 1 und Version 2?
        Was haben die beiden Verträge gemeinsam?
        Compare les deux offres.
        Quelle est la différence entre un bail et une location ?
        ¿Cuál es la diferencia entre el plan básico y el premium?
        Compara las dos ofertas.
        Qual è la differenza tra il piano base e quello premium?
        Confronta i due contratti.
        Qual é a diferença entre o plano básico e o premium?
        Wat is het verschil tussen huur en pacht?
        Vergelijk de twee offertes.
        Jaka jest różnica między umową o pracę a umową zlecenia?
        Vad är skillnaden mellan plan A och plan B?
        В чём разница между договором аренды и найма?
        两个方案有什么区别？
    """,
    QuestionKind.HOW_TO: """
        Comment fait-on pour changer le filtre ?
        What's the best way to clean the filter?
        Wie beantrage ich Urlaub?
        How do you install the driver?
        how can i change my password
        How do I reset the pump?
        How can I cancel my subscription?
        How to replace the filter
        How should we store the chemicals?
        How do you calibrate the scale?
        How do I find out which version is installed?
        How can employees report an accident?
        What are the steps to apply for parental leave?
        What is the procedure for returning a defective item?
        What is the process for a device named in a recall?
        What do I have to do if the alarm goes off?
        What should I do when the printer jams?
        Steps to install the driver
        Explain how to bleed the radiator.
        Show me how to set up two-factor authentication.
        Can you tell me how to renew the certificate?
        How do I delete all files from the camera?
        How do I write a letter of resignation according to the handbook?
        Wie setze ich die Pumpe zurück?
        Wie kann ich den Vertrag kündigen?
        Wie wechselt man den Filter?
        Was muss ich tun, wenn der Alarm losgeht?
        Welche Schritte sind nötig, um Elternzeit zu beantragen?
        Comment puis-je résilier mon abonnement ?
        Comment remplacer le filtre ?
        Quelles sont les étapes pour demander un congé ?
        ¿Cómo puedo cancelar la suscripción?
        ¿Cómo se cambia el filtro?
        Come posso disdire l'abbonamento?
        Come sostituire il filtro?
        Como posso cancelar a assinatura?
        Hoe kan ik mijn abonnement opzeggen?
        Jak mogę anulować subskrypcję?
        Hur byter man filter?
        Как заменить фильтр?
        如何更换滤芯？
    """,
    QuestionKind.SUMMARY: """
        Kurze Zusammenfassung von vertrag.pdf bitte
        What's the report about?
        Summarise everything in the folder contracts
        give me a short summary of minutes.docx
        Summarise the handbook.
        Summarize contract.pdf in five sentences
        Please summarize the minutes of May.
        Can you give me a summary of the annual report?
        Give me an overview of the folder contracts.
        Write a short summary of the lease.
        What is report.docx about?
        What is this document about?
        What are the main points of the proposal?
        What are the key takeaways from the study?
        Sum up the discussion about the budget.
        tl;dr of the privacy policy
        Summary of all contracts
        Fasse das Handbuch zusammen.
        Gib mir eine Zusammenfassung des Mietvertrags.
        Worum geht es in bericht.pdf?
        Was sind die wichtigsten Punkte des Angebots?
        Kannst du den Vertrag kurz zusammenfassen?
        Résume le contrat de location.
        Fais-moi un résumé du rapport annuel.
        De quoi parle le document budget.pdf ?
        Resume el informe anual.
        Hazme un resumen del contrato.
        Riassumi il manuale.
        Fammi un riassunto del contratto.
        Resuma o contrato.
        Faça um resumo do relatório anual.
        Vat het handboek samen.
        Geef een samenvatting van het contract.
        Podsumuj umowę najmu.
        Sammanfatta rapporten.
        Кратко изложи содержание договора.
        总结一下这份合同
    """,
    QuestionKind.COUNT: """
        How many students in the list are from Spain?
        Anzahl der Dateien, die Asbest erwähnen
        Wie viele PDFs habe ich?
        Wie viele Mitarbeiter sind in der Tabelle?
        How many orders from March are there?
        count the invoices from Telekom
        How many of my documents mention Berlin?
        how many pdf files are there in total
        How many invoices are from 2023?
        In how many files is asbestos mentioned?
        How many documents do I have?
        How many files are there?
        How many documents mention Angela Weber?
        How many of my PDFs contain the word "indemnity"?
        How many rows does customers.csv have?
        How many rows are in the table?
        How many records are in the spreadsheet inventory.xlsx?
        How many entries does the list have?
        How many customers are from Berlin?
        How many customers in the list live in Hamburg?
        How many orders are open?
        How many orders were placed in March?
        How many unpaid invoices are there?
        How many planets are in the table?
        How many contracts with Meyer are there?
        How many emails are in the folder archive?
        How many times is Dr. Hansen mentioned?
        How often is the word "penalty" used in my documents? It appears often.
        How often does the word penalty appear in the contract?
        Count the files about asbestos.
        Count all rows in orders.csv
        What is the total number of documents in the library?
        Number of files that mention asbestos
        Could you tell me how many letters are from 2019?
        How many chapters does handbook.md have?
        How many headings are in the document notes.md?
        How many bullet points are in todo.md?
        Wie viele Rechnungen sind aus 2023?
        In wie vielen Dateien wird Asbest erwähnt?
        Wie viele Dokumente habe ich?
        Wie viele Zeilen hat kunden.csv?
        Wie viele Kunden kommen aus Berlin?
        Wie oft wird Dr. Hansen erwähnt?
        Wie viele Dateien enthalten das Wort Kündigung?
        Zähle alle Rechnungen von Meyer.
        Combien de factures datent de 2023 ?
        Dans combien de fichiers l'amiante est-elle mentionnée ?
        Combien de documents mentionnent Angela Weber ?
        Combien de lignes contient clients.csv ?
        ¿Cuántas facturas son de 2023?
        ¿En cuántos archivos se menciona el amianto?
        ¿Cuántos clientes son de Madrid?
        Quante fatture sono del 2023?
        In quanti file è menzionato l'amianto?
        Quanti documenti ho?
        Quantas faturas são de 2023?
        Quantos arquivos mencionam o amianto?
        Hoeveel facturen zijn van 2023?
        In hoeveel bestanden wordt asbest genoemd?
        Ile faktur jest z 2023?
        Hur många dokument nämner asbest?
        Сколько документов содержат слово асбест?
        В скольких файлах упоминается асбест?
        有多少个文件提到石棉？
    """,
    QuestionKind.LIST: """
        What files do I have about taxes?
        Alle Rechnungen von Meyer auflisten
        Welche meiner Dokumente enthalten das Wort Frist?
        Which employees are in the sales department?
        show every invoice from 2022
        which of my documents mention the word merger
        Give me all documents mentioning Angela Weber
        List all contracts with Meyer.
        Which files mention asbestos?
        Which documents contain the word "indemnity"?
        What documents refer to the merger?
        In which files is Angela Weber mentioned?
        List all customers from Berlin.
        Show me all invoices from 2023.
        Show all rows of orders.csv
        List every order that is open
        Give me a list of all employees in the sales department.
        List the files that contain asbestos
        Which invoices are unpaid?
        Which contracts are from 2021?
        Which customers are from Munich?
        Which invoices do I have from Telekom?
        Find all documents that mention Project Aurora.
        Name all suppliers from Italy.
        List all entries of the table.
        List the chapters of handbook.md.
        What are the headings in notes.md?
        Display all records where the status is open
        Please list all letters to the tax office.
        Liste alle Verträge mit Meyer auf.
        Welche Dateien erwähnen Asbest?
        In welchen Dokumenten kommt das Wort Kündigung vor?
        Zeige mir alle Rechnungen aus 2023.
        Nenne alle Kunden aus Berlin.
        Welche Rechnungen sind von der Telekom?
        Quels fichiers mentionnent l'amiante ?
        Liste tous les contrats avec Meyer.
        Montre-moi toutes les factures de 2023.
        ¿Qué archivos mencionan el amianto?
        Enumera todos los contratos con Meyer.
        Muéstrame todas las facturas de 2023.
        Quali file menzionano l'amianto?
        Elenca tutti i contratti con Meyer.
        Quais arquivos mencionam o amianto?
        Liste todos os contratos com Meyer.
        Welke bestanden noemen asbest?
        Geef alle contracten met Meyer.
        Które pliki zawierają słowo azbest?
        Vilka filer nämner asbest?
        Какие файлы содержат слово асбест?
        哪些文件提到石棉？
        列出所有合同
    """,
    QuestionKind.CHAT: """
        Hello, how are you?
        Hey how's it going?
        Hallo, wie geht es dir?
        Good morning! What can you do?
        Wie geht es dir?
        Who made you?
        what are you able to do?
        thx
        hey
        Hello!
        hi there
        Good morning
        Thanks a lot!
        Thank you very much
        Goodbye
        Who are you?
        Hello, who are you?
        Hallo, wer bist du?
        What can you do?
        What's your name?
        How can you help me?
        help
        How are you?
        Are you a robot?
        What documents do you have?
        Which files do I have?
        What is in my library?
        Hallo
        Guten Tag
        Danke schön!
        Wer bist du?
        Was kannst du?
        Welche Dokumente hast du?
        Bonjour
        Merci beaucoup
        Qui es-tu ?
        Que peux-tu faire ?
        Quels documents as-tu ?
        Hola
        ¿Quién eres?
        ¿Qué puedes hacer?
        ¿Qué documentos tienes?
        Ciao
        Grazie
        Chi sei?
        Cosa puoi fare?
        Obrigado
        O que você pode fazer?
        Wie ben je?
        Wat kun je?
        Спасибо
        Кто ты?
        你好
    """,
    QuestionKind.OUT_OF_SCOPE: """
        Schreib mir ein Python-Skript
        Wie wird das Wetter morgen?
        please email this to my boss
        how's the weather
        Can you translate this sentence into French?
        What's 17 times 23?
        tell me a funny story
        What's the weather today?
        What is the weather in Berlin?
        Will it rain tomorrow?
        What time is it?
        What day is it today?
        What's the latest news?
        What is the current stock price of Apple?
        Write a poem about autumn.
        Write me a short story about a dragon
        Tell me a joke
        Write a Python function that sorts a list.
        Translate "good morning" into Spanish.
        Translate this text to German
        What is 12 * 7?
        What is 15% of 240?
        3 + 4
        Calculate 1024 divided by 16
        What do you think about nuclear power?
        What's your favourite colour?
        Do you like music?
        Send an email to Bob that I am late.
        Delete all files in the folder drafts.
        Set an alarm for 7 am.
        Remind me to call the dentist.
        Play some music.
        Book a flight to Rome.
        Search the web for cheap hotels
        Draw a picture of a cat
        Wie ist das Wetter heute?
        Wie spät ist es?
        Schreibe ein Gedicht über den Herbst.
        Erzähl mir einen Witz.
        Übersetze das ins Englische.
        Was hältst du von Atomkraft?
        Schicke eine E-Mail an Bob.
        Lösche alle Dateien im Ordner Entwürfe.
        Was ist 12 mal 7?
        Quel temps fait-il ?
        Quelle heure est-il ?
        Écris un poème sur l'automne.
        Raconte-moi une blague
        Traduis ce texte en anglais.
        Envoie un e-mail à Bob.
        ¿Qué tiempo hace hoy?
        ¿Qué hora es?
        Escribe un poema sobre el otoño.
        Cuéntame un chiste.
        Borra todos los archivos.
        Che tempo fa oggi?
        Scrivi una poesia sull'autunno.
        Que horas são?
        Escreva um poema sobre o outono.
        Hoe laat is het?
        Schrijf een gedicht over de herfst.
        Какая сегодня погода?
        Напиши стихотворение про осень.
        今天天气怎么样？
    """,
}


def examples() -> list[tuple[str, QuestionKind]]:
    """All questions with their kinds."""
    return [
        (line.strip(), kind)
        for kind, lines in _EXAMPLES.items()
        for line in lines.strip().splitlines()
    ]
