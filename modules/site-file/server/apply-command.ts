import { applyPlan } from './apply-plan.ts'
import { planSite } from './plan-site.ts'
import { driftText, planText } from './print-plan.ts'
import { readSiteFile } from './read-site-file.ts'
import { resolveSecret } from './secret-references.ts'
import { siteCommand, siteUsage } from './site-command.ts'
import { readSite } from './site-state.ts'

const usage = `Usage: tollgate apply <site.yaml> [options]

  --plan                 prints what would change, and changes nothing
  --check                the same without values, one line for each thing
  --prune                removes what the site has and the file does not name, in sections that the file has
  --no-secrets           leaves keys and other secrets as they are, without reading them
${siteUsage}

Exit codes of --plan and --check: 0 no change, 2 changes, 1 an error.`

const changesFound = 2

/** `tollgate apply`: makes a running site as a file says. Answers the exit code. */
export const runApplyCommand = async (
  args: readonly string[],
  print: (line: string) => unknown = (line) => process.stdout.write(`${line}\n`),
): Promise<number> => {
  const { values, positionals, open } = siteCommand(args, {
    plan: { type: 'boolean' },
    check: { type: 'boolean' },
    prune: { type: 'boolean' },
    'no-secrets': { type: 'boolean' },
  })
  const [path, ...more] = positionals
  if (values.help === true || path === undefined || more.length > 0) {
    print(usage)
    return values.help === true ? 0 : 1
  }
  const file = readSiteFile(path)
  const api = open()
  const site = await readSite(api)
  const prune = values.prune === true
  const secretOf = (reference: string): string | undefined =>
    values['no-secrets'] === true ? undefined : resolveSecret(reference, { environment: process.env, siteFile: path })
  const plan = await planSite({ file, site, api, secretOf, prune })
  print(values.check === true ? driftText(plan) : planText(plan, prune))
  if (values.plan === true || values.check === true) return plan.steps.length > 0 ? changesFound : 0
  if (plan.steps.length === 0) return 0
  let count = 0
  try {
    await applyPlan(api, plan, site, () => {
      count += 1
    })
  } catch (error) {
    print(`${count} of ${plan.steps.length} changes are made; apply the file again for the rest.`)
    throw error
  }
  print(count === 1 ? '1 change is made.' : `${count} changes are made.`)
  return 0
}
