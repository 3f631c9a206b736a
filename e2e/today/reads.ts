import { getFigures, getOwnFigures } from '../../contract/src/index.ts'

/** Calls of modules, by their paths: without a module the others can still be read. */
const moduleCalls = {
  today: '/api/today',
  ownToday: '/api/today/self',
  changes: '/api/changes',
  ownChanges: '/api/changes/self',
  ownSessions: '/api/sessions/self',
  ownSessionSums: '/api/sessions/self/sums',
} as const

/** A read of the start page. */
export interface TodayRead {
  readonly name: string
  /** Address of the read in a time zone. */
  readonly path: (zone: string) => string
}

const hour = 3_600
const day = 24 * hour

const search = (parts: Readonly<Record<string, string | number>>): string =>
  `?${new URLSearchParams(Object.entries(parts).map(([name, value]) => [name, String(value)]))}`

/** The question of the ranking on the start page, as `modules/today/web/who/range.ts` asks it. */
const ranking = (now: number, by: string, days: 1 | 7 | 30) => {
  const to = now - (now % hour) + hour
  return (zone: string): string =>
    search({
      metric: 'spend',
      by,
      start_timestamp: to - days * day,
      end_timestamp: to - 1,
      rollup: days === 1 ? 'hour' : 'day',
      zone,
      top: 7,
      compare: 'before',
      speed: 'none',
    })
}

/** Reads of the screen of operators, those of its first drawing. */
export const operatorReads = (now: number): readonly TodayRead[] => [
  { name: 'line and cards', path: (zone) => moduleCalls.today + search({ zone }) },
  { name: 'why it changed', path: (zone) => moduleCalls.changes + search({ zone }) },
  { name: 'top users, 24 hours', path: (zone) => getFigures.path + ranking(now, 'user', 1)(zone) },
]

/** Reads of the ranking with another choice. */
export const chosenReads = (now: number): readonly TodayRead[] =>
  (['user', 'key', 'model', 'channel'] as const).flatMap((by) =>
    ([1, 7, 30] as const)
      .filter((days) => by !== 'user' || days > 1)
      .map((days) => ({
        name: `top ${by}s, ${days === 1 ? '24 hours' : `${days} days`}`,
        path: (zone) => getFigures.path + ranking(now, by, days)(zone),
      })),
  )

/** Reads of the screen of users. */
export const ownReads = (now: number): readonly TodayRead[] => {
  const start = now - (now % hour) - 7 * day
  const end = now - (now % hour) + hour
  return [
    { name: 'own figures and cards', path: (zone) => moduleCalls.ownToday + search({ zone }) },
    { name: 'own: why it changed', path: (zone) => moduleCalls.ownChanges + search({ zone }) },
    {
      name: 'own: top models, 7 days',
      path: (zone) =>
        getOwnFigures.path +
        search({
          metric: 'spend',
          by: 'model',
          start_timestamp: end - 7 * day,
          end_timestamp: end - 1,
          rollup: 'day',
          zone,
          top: 5,
          compare: 'none',
          speed: 'none',
        }),
    },
    { name: 'own: sessions of 7 days', path: () => moduleCalls.ownSessionSums + search({ start_timestamp: start }) },
    {
      name: 'own: latest sessions',
      path: () => moduleCalls.ownSessions + search({ start_timestamp: start, p: 1, page_size: 3 }),
    },
  ]
}
