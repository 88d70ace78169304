/* See language.h. Of each language the words are articles, prepositions,
 * pronouns and the verbs that ask for a thing to be put somewhere; none of them
 * is an English word that a request for moving things would have. */
#include "worker/builtin/language/language.h"

#include "proto/array.h"
#include "proto/ascii.h"
#include "proto/utf8.h"

#include <string.h>

typedef struct language_words {
    const char *language;
    const char *words; /* each between blanks */
} language_words;

static const language_words languages[] = {
    {"German",
     " der das den dem ein eine einen einem einer und auf neben unter hinter vor zwischen zum zur"
     " vom mit bitte stell stelle stellen lege legen setz setze schieb schiebe mache bring bringe"
     " räum räume dreh drehe näher nach ganz beide sich nicht über "},
    {"French",
     " le la les un une des du au aux et sur sous dans devant derrière entre à près côté avec"
     " mets mettez posez placez déplace déplacez pousse poussez tourne vers cette ces tous toutes"
     " veuillez "},
    {"Spanish",
     " el la los las un una unos unas del al y en sobre bajo debajo encima junto entre detrás"
     " delante con pon poner ponga coloca colocar coloque mueve mover mueva lleva gira acerca"
     " todos todas cerca lado por favor "},
    {"Portuguese",
     " um uma uns umas da dos das ao à na nas nos e em sobre sob lado entre atrás frente com põe"
     " põem ponha coloque coloca colocar mova mover perto todos todas por favor "},
    {"Italian",
     " il lo la gli le un uno una del della dei delle al alla sul sulla sotto sopra accanto"
     " vicino tra fra dietro davanti con metti mettere mettete sposta spostare gira avvicina"
     " tutti tutte nel nella "},
    {"Dutch",
     " de het een en op onder naast achter voor tussen bij met naar zet plaats schuif verplaats"
     " draai alle beide tegen deze dit graag "},
    {"Swedish",
     " den det en ett och på under bredvid bakom framför mellan med vid ställ lägg flytta sätt"
     " vrid alla båda mot intill "},
    {"Danish",
     " den det en et og på under ved siden foran mellem til med stil læg flyt sæt drej alle begge"
     " mod hen "},
    {"Norwegian",
     " den det en et og på under ved siden bak foran mellom til med legg flytt sett snu alle"
     " begge mot bort "},
    {"Finnish",
     " ja laita aseta siirrä viereen päälle alle eteen taakse väliin kaikki pöydälle vasemmalle"
     " oikealle tuoli tuolin "},
    {"Polish",
     " na pod obok za przed między przy z połóż postaw przesuń przenieś ustaw obróć wszystkie"
     " obie tę proszę "},
    {"Czech",
     " na pod vedle za před mezi ke dej polož postav přesuň posuň otoč všechny oba tu prosím "},
    {"Hungarian",
     " az egy és alá mellé mögé elé közé fölé tedd tegye rakd vidd fordítsd minden mindkét kérlek "},
    {"Turkish",
     " ve bir bu şu üzerine üstüne altına yanına arkasına önüne arasına koy koyun yerleştir taşı"
     " çevir götür tüm lütfen "},
    {"Romanian",
     " pe sub lângă în spatele fața între la și cu un pune puneți mută mutați așază întoarce"
     " toate ambele către vă rog "},
};

/* Words of hardly any request in another language: that many of them outweigh a
 * foreign name. */
static const char english[] =
    " the of and with from its it that this these those should please onto into between behind "
    "you my put move all both ";

/* Letters that one script alone has. */
static const struct {
    uint32_t first, last;
    const char *language;
} scripts[] = {{0x0370, 0x03FF, "Greek"},
               {0x0400, 0x052F, "a language in Cyrillic letters"},
               {0x0590, 0x05FF, "Hebrew"},
               {0x0600, 0x06FF, "a language in Arabic letters"},
               {0x0900, 0x097F, "a language in Devanagari letters"},
               {0x0E00, 0x0E7F, "Thai"},
               {0x3040, 0x30FF, "Japanese"},
               {0x4E00, 0x9FFF, "Chinese or Japanese"},
               {0xAC00, 0xD7AF, "Korean"}};

enum {
    LANGUAGE_COUNT = COUNT_OF(languages),
    SCRIPT_COUNT = COUNT_OF(scripts),
    WORD_BYTES = 32,
    HITS_LEAST = 2 /* one word may be a name */
};

/* ---- scripts ---- */

/* Counts letters by script; bytes that are no UTF-8 count as letters of no
 * script. */
static void script_count(const char *text,
                         uint32_t counts[static SCRIPT_COUNT],
                         uint32_t *letters)
{
    size_t left = strlen(text);
    while (left > 0) {
        uint32_t code = 0;
        size_t size = etna_utf8_character(text, left, &code);
        if (size == 0)
            size = 1; /* not UTF-8: looked at byte by byte */
        *letters += (code | 32) >= 'a' && ((code | 32) <= 'z' || code > 0x7F);
        for (size_t i = 0; i < SCRIPT_COUNT; i++)
            counts[i] += code >= scripts[i].first && code <= scripts[i].last;
        text += size;
        left -= size;
    }
}

/* The script of more than half of the letters; kana tells Japanese among
 * Chinese characters. */
static const char *script_language(const sentence *s)
{
    uint32_t counts[SCRIPT_COUNT] = {0}, letters = 0, sum = 0;
    const char *found = NULL;
    for (uint32_t i = 0; i < s->token_count; i++) {
        if (!s->tokens[i].quoted)
            script_count(s->tokens[i].written, counts, &letters);
    }
    for (size_t i = 0; i < SCRIPT_COUNT; i++) {
        sum += counts[i];
        if (counts[i] > 0 && !found)
            /* kana stand before Chinese characters */
            found = scripts[i].language;
    }
    return 2 * sum > letters ? found : NULL;
}

/* ---- small words ---- */

/* Lists are one string of words with a blank on either side, so that strstr
 * finds whole words only. */
static bool list_has(const char *list, const char *word)
{
    char key[WORD_BYTES + 3];
    size_t size = strlen(word);
    if (size == 0 || size > WORD_BYTES)
        return false;
    key[0] = ' ';
    for (size_t i = 0; i < size; i++) {
        bool is_capital = ascii_is_upper(word[i]);
        key[i + 1] = (char)(is_capital ? word[i] | 32 : word[i]);
    }
    key[size + 1] = ' ';
    key[size + 2] = 0;
    return strstr(list, key) != NULL;
}

static uint32_t list_hits(const sentence *s, const char *list)
{
    uint32_t hits = 0;
    for (uint32_t i = 0; i < s->token_count; i++) {
        const sentence_token *t = &s->tokens[i];
        if (!t->quoted && !t->is_mark)
            hits += list_has(list, t->written);
    }
    return hits;
}

/* NULL: English, or too short to tell. The script decides where it can; else
 * the frequent words of each language are counted. Two languages with as many
 * hits are "another language". */
const char *language_guess(const sentence *s)
{
    const char *found = script_language(s);
    if (found)
        return found;
    uint32_t most = 0;
    for (size_t i = 0; i < LANGUAGE_COUNT; i++) {
        uint32_t hits = list_hits(s, languages[i].words);
        if (hits == most)
            found = "another language";
        if (hits > most)
            found = languages[i].language;
        if (hits > most)
            most = hits;
    }
    bool is_foreign = most >= HITS_LEAST && most > list_hits(s, english);
    return is_foreign ? found : NULL;
}
