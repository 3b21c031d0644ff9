/* Advises two aircraft that come near each other: climb, descend, or nothing. Twelve numbers are given:
 * own altitude, own rate, other altitude, other rate, distance, closing speed, own intent, other intent,
 * quality of the signal, inhibited, height above ground, layer. */
#include <stdio.h>
#include <stdlib.h>

#define COUNT 12
#define NONE 0
#define UP 1
#define DOWN 2
#define MOST_RATE 600
#define GROUND 1000
#define LOW_QUALITY 3

typedef int bool;

static int own_altitude;
static int own_rate;
static int other_altitude;
static int other_rate;
static int distance;
static int closing;
static int own_intent;
static int other_intent;
static int quality;
static bool inhibited;
static int height;
static int layer;

static int separation[4];

static void initialize()
{
    separation[0] = 400;
    separation[1] = 500;
    separation[2] = 640;
    separation[3] = 740;
}

static int threshold()
{
    return separation[layer];
}

static int seconds()
{
    if (closing <= 0)
        return 999;
    return distance / closing;
}

static int own_later()
{
    return own_altitude + own_rate * seconds() / 60;
}

static int other_later()
{
    return other_altitude + other_rate * seconds() / 60;
}

static bool own_below()
{
    return own_altitude < other_altitude;
}

static bool own_above()
{
    return other_altitude < own_altitude;
}

static int upward_room()
{
    int room = own_later() + MOST_RATE - other_later();
    return inhibited ? room + 100 : room;
}

static int downward_room()
{
    return other_later() - (own_later() - MOST_RATE);
}

static bool climbing_is_better()
{
    bool prefers_up = upward_room() > downward_room();
    if (prefers_up)
        return !own_below() || (own_below() && !(downward_room() >= threshold()));
    return own_above() && distance >= 300 && upward_room() >= threshold();
}

static bool descending_is_better()
{
    bool prefers_up = upward_room() > downward_room();
    if (height < GROUND)
        return 0;
    if (prefers_up)
        return own_below() && distance >= 300 && downward_room() >= threshold();
    return !own_above() || (own_above() && upward_room() >= threshold());
}

static int advise()
{
    bool is_watched, is_equipped, knows_nothing;
    bool needs_up, needs_down;
    int advice = NONE;
    is_watched = quality > LOW_QUALITY && own_rate <= MOST_RATE && seconds() < 60;
    is_equipped = other_intent == UP || other_intent == DOWN;
    knows_nothing = own_intent == NONE && !is_equipped;
    if (is_watched && ((is_equipped && own_intent != other_intent) || knows_nothing || !is_equipped)) {
        needs_up = climbing_is_better() && own_below();
        needs_down = descending_is_better() && own_above();
        if (needs_up && needs_down)
            advice = NONE;
        else if (needs_up)
            advice = UP;
        else if (needs_down)
            advice = DOWN;
        if (advice != NONE && advice == other_intent)
            advice = advice == UP ? DOWN : UP;
    }
    return advice;
}

int main(argc, argv)
int argc;
char *argv[];
{
    if (argc < COUNT + 1) {
        printf("twelve numbers are needed\n");
        exit(1);
    }
    initialize();
    own_altitude = atoi(argv[1]);
    own_rate = atoi(argv[2]);
    other_altitude = atoi(argv[3]);
    other_rate = atoi(argv[4]);
    distance = atoi(argv[5]);
    closing = atoi(argv[6]);
    own_intent = atoi(argv[7]);
    other_intent = atoi(argv[8]);
    quality = atoi(argv[9]);
    inhibited = atoi(argv[10]);
    height = atoi(argv[11]);
    layer = atoi(argv[12]);
    if (layer < 0 || layer > 3)
        layer = 3;
    printf("%d\n", advise());
    exit(0);
}
