#!/bin/sh
# Stands before the C compiler while a program is built: notes each call, and links our runtime.
PATH=$BUGNET_PATH
printf '%s\n' call "$PWD" "$@" end >> "$BUGNET_CALLS"
links=yes
for word in "$@"; do
    case $word in
        -c | -E | -S | -M | -MM | -fsyntax-only | -v | --version | -dump* | -print*) links=no ;;
    esac
done
if [ $# -eq 1 ] && [ "${1#-}" != "$1" ]; then links=no; fi
if [ $links = no ]; then exec "${0##*/}" "$@" -w -D__NO_CTYPE; fi
exec "${0##*/}" "$@" -w -D__NO_CTYPE "$BUGNET_RUNTIME" -Wl,--wrap=main,--wrap=exit,--wrap=_exit,--wrap=fclose \
    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
