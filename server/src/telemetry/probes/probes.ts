import type { Checks } from './checks.ts'

/** Answer to a probe. */
interface ProbeAnswer {
  readonly status: 200 | 503
  readonly text: string
}

interface Result {
  readonly name: string
  readonly fault: string | undefined
  readonly needed: boolean
}

/** Milliseconds. A part that says nothing for longer counts as out of order: orchestrators give up after a second or a few. */
const longestMs = 800

const within = async (name: string, answer: Promise<string | undefined>): Promise<string | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`${name} does not answer`), longestMs)
  })
  try {
    return await Promise.race([answer, late])
  } catch {
    return `${name} failed`
  } finally {
    clearTimeout(timer)
  }
}

const phaseOf = ({ phase }: Checks): Result => ({
  name: 'process',
  fault: phase === 'running' ? undefined : phase,
  needed: true,
})

const alive: Result = { name: 'process', fault: undefined, needed: true }

const resultsOf = (checks: Checks): Promise<readonly Result[]> =>
  Promise.all([
    phaseOf(checks),
    ...checks.all().map(async ({ name, needed, fault }) => ({
      name,
      needed,
      fault: await within(name, Promise.resolve(fault())),
    })),
  ])

const line = ({ name, fault, needed }: Result): string => {
  if (fault === undefined) return `[+]${name} ok`
  return needed ? `[-]${name} failed: ${fault}` : `[!]${name} failed, calls go on: ${fault}`
}

const answerOf = (
  probe: string,
  results: readonly Result[],
  failed: readonly Result[],
  verbose: boolean,
): ProbeAnswer => {
  const status = failed.length === 0 ? 200 : 503
  if (!verbose)
    return { status, text: failed.length === 0 ? 'ok' : `${failed.map(({ name }) => name).join(', ')} failed` }
  const end = failed.length === 0 ? `${probe} check passed` : `${probe} check failed`
  return { status, text: [...results.map(line), end].join('\n') }
}

/**
 * The probes by their path. `/livez` fails never: a process that answers lives. `/readyz` fails while calls should go to other
 * nodes: at the start, at the stop, and while a needed part is out of order. `/healthz` fails with any part, for monitors.
 */
export const probes: ReadonlyMap<string, (checks: Checks, verbose: boolean) => Promise<ProbeAnswer>> = new Map([
  ['/livez', async (_: Checks, verbose: boolean) => answerOf('livez', [alive], [], verbose)],
  [
    '/readyz',
    async (checks: Checks, verbose: boolean) => {
      const results = await resultsOf(checks)
      const failed = results.filter(({ fault, needed }) => needed && fault !== undefined)
      return answerOf('readyz', results, failed, verbose)
    },
  ],
  [
    '/healthz',
    async (checks: Checks, verbose: boolean) => {
      const results = await resultsOf(checks)
      return answerOf(
        'healthz',
        results,
        results.filter(({ fault }) => fault !== undefined),
        verbose,
      )
    },
  ],
])
