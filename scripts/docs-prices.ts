import type { ComparedFigures, Disagreement } from '../server/src/billing/book/disagreements/disagreement.ts'
import { disagreements } from '../server/src/billing/book/disagreements/index.ts'
import { unpricedReasons } from '../server/src/billing/book/models-without-price.ts'
import { code, table } from './docs-table.ts'

const kinds: readonly (keyof ComparedFigures)[] = ['input', 'output', 'cache_read', 'cache_write']

/** `2 / 0.5`: the catalogue's, then the second source's; empty where both agree. */
const pair = (figures: ComparedFigures, kind: keyof ComparedFigures): string => figures[kind]?.join(' / ') ?? ''

const order: readonly Disagreement['follow'][] = ['catalogue', 'provider', 'second source']

/** Models whose prices the catalogue and the second source state differently, by the source that is followed. */
export const disagreementsPart = (): string =>
  disagreements
    .toSorted((a, b) => order.indexOf(a.follow) - order.indexOf(b.follow))
    .map(({ follow, why, models }) => {
      const rows = Object.entries(models).map(([name, figures]) => [
        code(name),
        ...kinds.map((kind) => pair(figures, kind)),
      ])
      const head = ['Model', 'Input', 'Output', 'Cache read', 'Cache write']
      return `**We follow the ${follow}.** ${why}\n\n${table(head, rows)}`
    })
    .join('\n\n')

/** Models of the providers' default lists that no list has a price for. */
export const unpricedPart = (): string =>
  unpricedReasons.map(({ why, models }) => `${why} ${models.map(code).join(', ')}.`).join('\n\n')
