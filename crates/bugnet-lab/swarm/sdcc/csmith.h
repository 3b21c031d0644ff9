/* What programs of Csmith need to be compiled, and no more: they are not run. */
#include <stdint.h>
static uint32_t crc32_context = 0xFFFFFFFFUL;
void transparent_crc(uint64_t value, const char *name, int flag);
void transparent_crc_bytes(char *pointer, int count, const char *name, int flag);
void crc32_gentab(void);
void platform_main_begin(void);
void platform_main_end(uint32_t crc, int flag);
int printf(const char *format, ...);
