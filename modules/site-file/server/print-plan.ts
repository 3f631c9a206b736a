import type { Plan, PlanStep, Verb } from './plan.ts'

const marks: Readonly<Record<Verb, string>> = { create: '+', update: '~', delete: '-' }
const longestValue = 200
const mostLines = 50

const shown = (value: unknown): string => {
  if (value === undefined) return '(none)'
  const text = JSON.stringify(value)
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
}

const stepLines = ({ verb, title, differences }: PlanStep): string[] => {
  const lines = differences.map(({ field, before, after }) =>
    verb === 'create' ? `    ${field}: ${shown(after)}` : `    ${field}: ${shown(before)} → ${shown(after)}`,
  )
  const more = lines.length - mostLines
  return [`${marks[verb]} ${title}`, ...lines.slice(0, mostLines), ...(more > 0 ? [`    … and ${more} more`] : [])]
}

const count = (plan: Plan, verb: Verb): number => plan.steps.filter((step) => step.verb === verb).length

/** `2 to create, 1 to change, 0 to delete` */
const planSummary = (plan: Plan): string =>
  plan.steps.length === 0
    ? 'No changes: the site is as the file says.'
    : `${count(plan, 'create')} to create, ${count(plan, 'update')} to change, ${count(plan, 'delete')} to delete.`

/** The plan for people: one thing after the other, secrets never among it. */
export const planText = (plan: Plan, prune: boolean): string =>
  [
    ...plan.steps.flatMap(stepLines),
    planSummary(plan),
    ...(prune || plan.unnamed.length === 0
      ? []
      : [
          `Not in the file, left as they are: ${plan.unnamed.length} (--prune removes those of sections that the file has).`,
        ]),
  ].join('\n')

/** One line for each thing, without values. */
export const driftText = (plan: Plan): string =>
  [...plan.steps.map(({ verb, title }) => `${marks[verb]} ${title}`), planSummary(plan)].join('\n')
