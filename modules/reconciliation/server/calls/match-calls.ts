import {
  type CallList,
  type MatchedCalls,
  mostListedCalls,
  type NamedCause,
  type ReconciledCall,
} from '@tollgate/contract'
import { add, print, zero } from '#server/billing/decimal.ts'
import type { Decimal } from '#server/billing/price.ts'
import { magnitude, minus } from '../compare/amounts.ts'
import { findCauses } from '../compare/causes.ts'
import { shownOwn, shownTheirs } from '../compare/compare.ts'
import { isWholeCents, type OwnSide, ownSide, theirSide } from '../compare/sides.ts'
import type { ListCostOf } from '../list-cost.ts'
import type { ReportLine } from '../report.ts'
import type { OwnCall, Span } from './own-calls.ts'

/** A call that the two sides disagree about, and where it is listed. */
export interface ListedCall {
  readonly list: CallList
  readonly call: Omit<ReconciledCall, 'id'>
}

export interface CallMatch {
  readonly counts: MatchedCalls
  /** At most so many of each list as are stored. */
  readonly listed: readonly ListedCall[]
}

/** The lines that name one call. */
interface Reported {
  readonly lines: ReportLine[]
  found: boolean
}

const sameFigures = (left: ReportLine, right: ReportLine): boolean =>
  left.input === right.input &&
  left.cacheRead === right.cacheRead &&
  left.cacheWrite === right.cacheWrite &&
  left.output === right.output &&
  print(left.cost ?? zero) === print(right.cost ?? zero)

const byId = (lines: readonly ReportLine[]): Map<string, Reported> => {
  const calls = new Map<string, Reported>()
  for (const line of lines) {
    if (line.requestId === '') continue
    const call = calls.get(line.requestId)
    if (call === undefined) calls.set(line.requestId, { lines: [line], found: false })
    else call.lines.push(line)
  }
  return calls
}

const sumOf = (lines: readonly ReportLine[]): Decimal => lines.reduce((sum, { cost }) => add(sum, cost ?? zero), zero)

/** The same line again bills its call again; other lines may be other kinds of token of the same call. */
const splitRepeats = (lines: readonly ReportLine[]): { once: readonly ReportLine[]; again: readonly ReportLine[] } => {
  const once: ReportLine[] = []
  const again: ReportLine[] = []
  for (const line of lines) (once.some((other) => sameFigures(other, line)) ? again : once).push(line)
  return { once, again }
}

const noCost: OwnSide = { ...ownSide([], [], () => zero, 0), cost: zero }

export interface CallMatcher {
  /** Looks the calls of the log up in the report. */
  look(calls: readonly OwnCall[]): void
  /** Calls without a match, once the log was read. */
  end(): CallMatch
}

/**
 * Compares the lines of a report that name single calls with the log, page by page. Calls outside of `span` only meet lines that
 * name them: sides may place a call on another day. undefined where no line names a call.
 */
export const openCallMatcher = (
  lines: readonly ReportLine[],
  span: Span,
  listCostOf: ListCostOf,
): CallMatcher | undefined => {
  const reported = byId(lines)
  if (reported.size === 0) return undefined
  const wholeCents = lines.some(({ cost }) => cost !== null) && lines.every(isWholeCents)
  const listed: ListedCall[] = []
  const counts = { matched: 0, there: 0, here: 0, different: 0, unnamed: 0, unasked: 0 }
  let named = 0

  const list = (name: CallList, call: ListedCall['call']): void => {
    counts[name] += 1
    if (counts[name] <= mostListedCalls) listed.push({ list: name, call })
  }

  const costOf = (call: OwnCall, theirModels: readonly string[]): OwnSide =>
    ownSide([call], theirModels, listCostOf, call.at)

  const causesOf = (call: OwnCall, own: OwnSide, lines: readonly ReportLine[]): readonly NamedCause[] => {
    const { once, again } = splitRepeats(lines)
    const repeated: NamedCause[] =
      again.length === 0 ? [] : [{ cause: 'duplicated', amount: print(sumOf(again)), calls: again.length }]
    if (call.failed) {
      const paid = sumOf(once)
      return magnitude(paid).digits === 0n ? repeated : [{ cause: 'failed_here', amount: print(paid) }, ...repeated]
    }
    const their = theirSide(once)
    // Lines of one call count it once.
    const figures = { ...their.figures, calls: their.figures.calls === null ? null : 1 }
    return [...findCauses(own, { ...their, figures, wholeCents }), ...repeated]
  }

  const meet = (call: OwnCall, providerId: string, { lines }: Reported): void => {
    counts.matched += 1
    const own = call.failed ? noCost : costOf(call, [])
    const causes = causesOf(call, own, lines)
    if (causes.length === 0) return
    const their = theirSide(lines)
    const paid = their.figures.cost
    list('different', {
      at: call.at,
      model: call.upstreamModel,
      provider_request_id: providerId,
      request_id: call.requestId,
      ours: shownOwn(own),
      theirs: shownTheirs(their.figures),
      difference: paid === null || own.cost === undefined ? null : print(minus(paid, own.cost)),
      causes: [...causes],
    })
  }

  /** Calls at the edges may stand on a day that the report does not have. */
  const isWithin = ({ at, beganAt }: OwnCall): boolean => beganAt >= span.from && at < span.until

  const miss = (call: OwnCall): void => {
    if (call.failed || !isWithin(call)) return
    const [providerId] = call.providerIds
    if (providerId === undefined) {
      counts.unnamed += 1
      return
    }
    const own = costOf(call, [])
    const unpaid = own.cost === undefined ? null : print(minus(zero, own.cost))
    list('here', {
      at: call.at,
      model: call.upstreamModel,
      provider_request_id: providerId,
      request_id: call.requestId,
      ours: shownOwn(own),
      theirs: null,
      difference: unpaid,
      causes: [{ cause: 'missing_there', amount: unpaid ?? '0', calls: 1 }],
    })
  }

  return {
    look(calls) {
      for (const call of calls) {
        if (call.providerIds.length > 0) named += 1
        const id = call.providerIds.find((one) => reported.get(one)?.found === false)
        const theirs = id === undefined ? undefined : reported.get(id)
        if (id === undefined || theirs === undefined) miss(call)
        else {
          theirs.found = true
          meet(call, id, theirs)
        }
      }
    },
    end() {
      if (counts.matched === 0) {
        const none = { matched: 0, there: 0, here: 0, different: 0, unnamed: counts.unnamed, unasked: 0 }
        return { counts: { ids: named === 0 ? 'no_own_ids' : 'other_ids', ...none }, listed: [] }
      }
      for (const [id, { lines, found }] of reported) {
        if (found) continue
        const { figures, models } = theirSide(lines)
        const paid = print(figures.cost ?? zero)
        list('there', {
          at: lines[0]?.day ?? 0,
          model: models[0] ?? '',
          provider_request_id: id,
          request_id: '',
          ours: null,
          theirs: shownTheirs(figures),
          difference: figures.cost === null ? null : paid,
          causes: [{ cause: 'missing_here', amount: paid, calls: 1 }],
        })
      }
      return { counts: { ids: 'matched', ...counts }, listed }
    },
  }
}
