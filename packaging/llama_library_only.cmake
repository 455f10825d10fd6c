# Included by CMake right after llama.cpp's own project() line (CMAKE_PROJECT_INCLUDE).
#
# llama-cpp-python forces llama.cpp's helper library on; nothing here loads it, and it takes a third
# of the build. A normal variable shadows the forced cache entry.
set(LLAMA_BUILD_COMMON OFF)
