import { type UpstreamKind, upstreamKinds } from './client.ts'

/** Results of one client at one upstream. */
export interface Outcome {
  readonly checks: number
  /** Names of the checks that failed, in the order of the run. */
  readonly failed: readonly string[]
}

/** A row of the matrix. */
export interface Row {
  readonly client: string
  readonly version: string
  /** An upstream is absent where the client is not run with it. */
  readonly outcomes: Readonly<Partial<Record<UpstreamKind, Outcome>>>
}

/** A cell as the page shows it: `6`, or `4 of 6: silence, errors`. */
export const cellText = (outcome: Outcome | undefined): string => {
  if (outcome === undefined) return '–'
  const { checks, failed } = outcome
  return failed.length === 0 ? String(checks) : `${checks - failed.length} of ${checks}: ${failed.join(', ')}`
}

const readCell = (text: string): Outcome | undefined => {
  const parts = /^(\d+)(?: of (\d+): (.+))?$/.exec(text)
  if (parts === null) return undefined
  const [, passed = '', checks, failed] = parts
  return { checks: Number(checks ?? passed), failed: failed?.split(', ') ?? [] }
}

/** Rows of a table that `cellText` has written; other lines are passed over. */
export const readRows = (page: string): Row[] =>
  page.split('\n').flatMap((line) => {
    const [client = '', version = '', ...cells] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    if (cells.length !== upstreamKinds.length || client === 'Client' || client.startsWith('---')) return []
    const outcomes = Object.fromEntries(
      upstreamKinds.flatMap((kind, at) => {
        const outcome = readCell(cells[at] ?? '')
        return outcome === undefined ? [] : [[kind, outcome]]
      }),
    )
    return [{ client, version, outcomes }]
  })

export interface Change {
  readonly client: string
  readonly upstream: UpstreamKind
  readonly verdict: 'worse' | 'better'
  readonly text: string
}

const changeOf = (before: Outcome | undefined, now: Outcome | undefined): Pick<Change, 'verdict' | 'text'>[] => {
  if (now === undefined) return before === undefined ? [] : [{ verdict: 'worse', text: 'is not run any more' }]
  const failsAnew = now.failed.filter((check) => !before?.failed.includes(check))
  const missing = (before?.checks ?? 0) - now.checks
  const worse = [
    ...(failsAnew.length > 0 ? [`fails ${failsAnew.join(', ')}`] : []),
    ...(missing > 0 ? [`has ${missing} checks fewer`] : []),
  ]
  // A failure that the page has not seen is worse, also where the client is new.
  if (worse.length > 0) return [{ verdict: 'worse', text: worse.join(', ') }]
  if (before === undefined) return [{ verdict: 'better', text: `is new with ${now.checks} checks` }]
  const mended = before.failed.filter((check) => !now.failed.includes(check))
  const better = [
    ...(mended.length > 0 ? [`passes ${mended.join(', ')}`] : []),
    ...(missing < 0 ? [`has ${-missing} checks more`] : []),
  ]
  return better.length === 0 ? [] : [{ verdict: 'better', text: better.join(', ') }]
}

/** Changes in the rows of a run. Clients that were not run are passed over: they may not be installable here. */
export const compareRows = (before: readonly Row[], now: readonly Row[]): Change[] =>
  now.flatMap(({ client, outcomes }) => {
    const earlier = before.find((row) => row.client === client)?.outcomes ?? {}
    return upstreamKinds.flatMap((upstream) =>
      changeOf(earlier[upstream], outcomes[upstream]).map((change) => ({ client, upstream, ...change })),
    )
  })
