import type { LogEntry } from '../../../lib/api/contract.ts'
import classes from '../logs.module.css'
import { otherOf } from '../other.ts'

/** Sessions that are drawn at once: more lines side by side are not told apart. */
const mostLanes = 2
const laneWidth = 12
/** A row without the line below it. */
const rowHeight = 39
const middle = rowHeight / 2
/** Hex digits of a session's id that tell the sessions of a page apart. */
const shownDigits = 4

/** Part of one lane beside one row: its line from above, its line to below, the dot of a call. */
export interface LanePart {
  readonly above: boolean
  readonly below: boolean
  readonly call: boolean
}

/** Parts of all lanes by the id of the row. */
export type SessionLanes = ReadonlyMap<number, readonly LanePart[]>

/** Rows with their sessions and without threads between them. */
export const noLanes: SessionLanes = new Map()

/** The session of a call; undefined where it belongs to none. */
export const sessionOfLog = (log: LogEntry): string | undefined => otherOf(log).session?.id

/** The sessions with most of the calls of these rows as lanes, each from its first to its last call; those with one call have none. */
export const lanesOf = (rows: readonly LogEntry[]): SessionLanes => {
  const places = new Map<string, number[]>()
  rows.forEach((log, place) => {
    const session = sessionOfLog(log)
    if (session !== undefined) places.set(session, [...(places.get(session) ?? []), place])
  })
  const lanes = [...places.values()]
    .filter((calls) => calls.length > 1)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, mostLanes)
  return new Map(
    rows.map((log, place) => [
      log.id,
      lanes.map((calls) => {
        const [first = 0, last = 0] = [calls[0], calls.at(-1)]
        return {
          above: place > first && place <= last,
          below: place >= first && place < last,
          call: calls.includes(place),
        }
      }),
    ]),
  )
}

/** The lanes beside a row, and the session of its call. */
export const SessionLane = ({ log, lanes }: { log: LogEntry; lanes: SessionLanes }) => {
  const parts = lanes.get(log.id) ?? []
  const session = sessionOfLog(log)
  return (
    <span className={classes.lanes} title={session}>
      <svg width={mostLanes * laneWidth} height={rowHeight} aria-hidden="true">
        {parts.map(({ above, below, call }, lane) => {
          const x = laneWidth * (lane + 0.5)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a lane is its place
            <g key={lane} data-lane={lane}>
              {(above || below) && <path d={`M${x} ${above ? 0 : middle}V${below ? rowHeight : middle}`} />}
              {call && <circle cx={x} cy={middle} r="3.5" />}
            </g>
          )
        })}
      </svg>
      {session !== undefined && <span className="faint">{session.slice(0, shownDigits)}</span>}
    </span>
  )
}
