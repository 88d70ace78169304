/* What `etna launch` writes: scripts that a shell can read, of the plan's
 * values, without a token; and nothing at all of a plan whose values would mean
 * something to a shell. */
#include "coordinator/launch/launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

static const char *const kinds[] = {"slurm", "ssh", "systemd", "local",
                                    "kubernetes"};
enum {
    KINDS = sizeof kinds / sizeof *kinds
};

static launch_plan plan_of(const char *kind)
{
    return (launch_plan){.kind = kind,
                         .directory = "/shared/etna",
                         .programs = "/opt/etna/bin",
                         .hosts = "one,two@host.example",
                         .workers = 7,
                         .cpus = 3};
}

static char *text_of(const launch_plan *plan, const char *name)
{
    char *text;
    etna_error err = {ETNA_OK, ""};
    if (launch_text(plan, name, &text, &err))
        fail_msg("%s: %s", name, err.text);
    return text;
}

/* What `sh -n` says of the text. */
static int read_by_shell(const char *text)
{
    FILE *shell = popen("sh -n", "w");
    assert_non_null(shell);
    fputs(text, shell);
    return pclose(shell);
}

static void every_script_is_one_that_a_shell_can_read(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        launch_plan plan = plan_of(kinds[k]);
        assert_true(launch_file_count(kinds[k]) >= 2);
        for (size_t i = 0; i < launch_file_count(kinds[k]); i++) {
            const char *name = launch_file_name(kinds[k], i);
            char *text = text_of(&plan, name);
            if (!strstr(name, ".service") && !strstr(name, ".yaml"))
                assert_int_equal(read_by_shell(text), 0);
            free(text);
        }
    }
}

/* How many documents libyaml finds in the text; -1: it is no YAML. */
static int count_documents(const char *text)
{
    yaml_parser_t parser;
    assert_true(yaml_parser_initialize(&parser));
    yaml_parser_set_input_string(&parser, (const unsigned char *)text,
                                 strlen(text));
    int count = 0;
    bool over = false;
    while (!over) {
        yaml_document_t document;
        if (!yaml_parser_load(&parser, &document)) {
            count = -1;
            break;
        }
        over = yaml_document_get_root_node(&document) == NULL;
        count += !over;
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
    return count;
}

static void every_manifest_is_yaml_with_the_plans_image_and_numbers(
    void **state)
{
    (void)state;
    launch_plan plan = plan_of("kubernetes");
    plan.image = "registry.example:5000/etna@sha256:00";
    char *text = text_of(&plan, "kubernetes-coordinator.yaml");
    assert_int_equal(count_documents(text), 2);
    assert_non_null(
        strstr(text, "image: \"registry.example:5000/etna@sha256:00\"\n"));
    free(text);
    text = text_of(&plan, "kubernetes-workers.yaml");
    assert_int_equal(count_documents(text), 1);
    assert_non_null(strstr(text, "replicas: 7\n"));
    assert_non_null(strstr(text, "etna-worker --connect @/tmp/join --cpus 3 "));
    assert_null(strstr(text, "@image@"));
    free(text);
}

static void the_plans_values_stand_where_they_belong(void **state)
{
    (void)state;
    launch_plan plan = plan_of("slurm");
    char *text = text_of(&plan, "slurm-workers.sbatch");
    assert_non_null(strstr(text, "--array=1-7\n"));
    assert_non_null(strstr(text, "--cpus-per-task=3\n"));
    assert_non_null(strstr(
        text, "'/opt/etna/bin/etna-worker' --connect '@/shared/etna/join'"));
    assert_null(strstr(text, "@directory@"));
    free(text);
    plan.partition = "gpu,long";
    plan.time = "12:00:00";
    text = text_of(&plan, "slurm-coordinator.sbatch");
    assert_non_null(strstr(
        text, "\n#SBATCH --partition=gpu,long\n#SBATCH --time=12:00:00\n"));
    free(text);
    plan.partition = NULL;
    text = text_of(&plan, "slurm-coordinator.sbatch");
    assert_non_null(strstr(text, "\n#SBATCH --time=12:00:00\n"));
    free(text);
    plan = plan_of("systemd");
    text = text_of(&plan, "etna-coordinator.service");
    assert_non_null(strstr(text, "\nSystemCallFilter=@system-service\n"));
    free(text);
}

static void a_value_that_a_shell_would_read_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "/a b", "/a'b", "/a\"b", "/a$(reboot)", "/a`b`", "/a;b", "/a\nb",
        "",     "-rf",  "/a%b",  "/a\\b",       "/a*b",  "/a#b", "/\xc3\xa4"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *text = NULL;
        launch_plan plan = plan_of("slurm");
        plan.directory = bad[i];
        assert_int_equal(launch_text(&plan, "slurm-submit.sh", &text, NULL),
                         ETNA_E_USAGE);
        plan = plan_of("slurm");
        plan.partition = bad[i];
        assert_int_equal(launch_text(&plan, "slurm-submit.sh", &text, NULL),
                         ETNA_E_USAGE);
        plan = plan_of("ssh");
        plan.hosts = bad[i];
        assert_int_equal(launch_text(&plan, "ssh-start.sh", &text, NULL),
                         ETNA_E_USAGE);
        assert_null(text);
    }
}

static void what_a_kind_wants_is_said(void **state)
{
    (void)state;
    etna_error err = {ETNA_OK, ""};
    launch_plan plan = plan_of("ssh");
    char *text;
    plan.hosts = NULL;
    assert_int_equal(launch_text(&plan, "ssh-start.sh", &text, &err),
                     ETNA_E_USAGE);
    assert_non_null(strstr(err.text, "--hosts"));
    plan = plan_of("cloud");
    assert_int_equal(launch_write(&plan, &err), ETNA_E_USAGE);
    assert_non_null(
        strstr(err.text, "slurm, ssh, systemd, local or kubernetes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_script_is_one_that_a_shell_can_read),
        cmocka_unit_test(
            every_manifest_is_yaml_with_the_plans_image_and_numbers),
        cmocka_unit_test(the_plans_values_stand_where_they_belong),
        cmocka_unit_test(a_value_that_a_shell_would_read_is_refused),
        cmocka_unit_test(what_a_kind_wants_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
