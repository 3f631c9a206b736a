import {
  type BodyOf,
  type CaptureDetails,
  type CaptureRow,
  type DataOf,
  type getOwnInspection,
  type Inspection,
  type listCaptures,
  type QueryOf,
  type replayCapture,
  role,
  type startInspection,
  userStatus,
} from '@tollgate/contract'
import type { Trace } from '#server/db/trace.ts'
import type { RankedActor } from '#server/http/actor.ts'
import { AppError } from '#server/lib/app-error.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { CallerUser } from '#server/relay/callers.ts'
import { bodyChanges } from './body-changes.ts'
import type { CaptureWriter } from './captures.ts'
import type { InspectedThings, Replays } from './ports.ts'
import type { RunningInspections } from './running-inspections.ts'
import { type CaptureRecord, type InspectionRow, type InspectorStore, kindOfRow } from './store.ts'

export interface InspectorParts {
  readonly store: InspectorStore
  readonly running: RunningInspections
  readonly captures: CaptureWriter
  readonly things: InspectedThings
  readonly replays: Replays
  /** Writes an entry of the audit log. */
  readonly record: (entry: Trace) => Promise<void>
  readonly clock: Clock
  readonly settings: () => {
    readonly access: 'admin' | 'root' | 'off'
    readonly keepSeconds: number
    /** 0 for whoever sends a capture again. */
    readonly sandboxUser: number
  }
}

type Own = DataOf<typeof getOwnInspection>

/** Inspections and what they captured, as administrators use them. All methods throw AppError where the caller may not. */
export interface Inspector {
  list(actor: RankedActor): Promise<Inspection[]>
  start(actor: RankedActor, wanted: BodyOf<typeof startInspection>): Promise<Inspection>
  stop(actor: RankedActor, id: number): Promise<void>
  /** Inspections of the user's own calls, as the user sees them. */
  own(userId: number): Promise<Own>
  captures(actor: RankedActor, query: QueryOf<typeof listCaptures>): Promise<DataOf<typeof listCaptures>>
  capture(actor: RankedActor, id: number): Promise<CaptureDetails>
  pin(actor: RankedActor, id: number, pinned: boolean): Promise<void>
  remove(actor: RankedActor, id: number): Promise<void>
  /** Makes the call of a pinned capture again; the id of the capture of that call. */
  replay(actor: RankedActor, id: number, how: BodyOf<typeof replayCapture>): Promise<number>
}

const shownInspections = 50
const pinnedSeconds = 30 * 86_400

const shownRow = ({ user_id: _, user_role: __, pinned, ...row }: CaptureRecord): CaptureRow => ({
  ...row,
  pinned: pinned === 1,
})

export const createInspector = (parts: InspectorParts): Inspector => {
  const { store, running, captures, things, clock, settings } = parts
  const now = (): number => unixSeconds(clock)

  /** Only a whole JSON body can be sent again; fields that were cut out go as `[cut]`. */
  const replayOf = ({ path, body }: CaptureDetails['content']['client']): CaptureDetails['replay'] => {
    if (!parts.replays.takes(path)) return 'not_this_kind'
    return body.kind === 'json' && !body.cut ? 'possible' : 'not_whole'
  }

  const assertMay = (actor: RankedActor): void => {
    const { access } = settings()
    if (access === 'off') throw new AppError('inspector_off')
    if (access === 'root' && actor.role < role.root) throw new AppError('permission_denied')
  }

  const shown = (row: InspectionRow, count: number): Inspection => ({
    id: row.id,
    kind: kindOfRow(row),
    target_id: row.target_id,
    target_name: row.target_name,
    reason: row.reason,
    started_name: row.started_name,
    started_time: row.started_time,
    ends_time: row.ends_time,
    running: row.ends_time > now(),
    captures: count,
  })

  const trace = (actor: RankedActor, action: string, id: number, facts: Readonly<Record<string, unknown>>) =>
    parts.record({ actor, action, object: 'inspector', objectId: id, after: facts, ip: actor.ip })

  /** The name of what shall be inspected. An equal or higher role may be inspected by its owner and root alone. */
  const targetName = async (actor: RankedActor, { kind, target_id: id }: BodyOf<typeof startInspection>) => {
    if (kind === 'channel') {
      const channel = things.channel(id)
      if (channel === undefined) throw new AppError('not_found')
      return channel.name
    }
    const token = kind === 'token' ? await things.token(id) : undefined
    if (kind === 'token' && token === undefined) throw new AppError('not_found')
    const user = await things.user(token?.userId ?? id)
    if (user === undefined) throw new AppError('not_found')
    if (user.role >= actor.role && user.id !== actor.id && actor.role < role.root)
      throw new AppError('permission_denied')
    return token?.name ?? user.username
  }

  const readable = async (actor: RankedActor, id: number) => {
    assertMay(actor)
    const found = await store.capture(id)
    if (found === undefined || found.row.user_role > actor.role || found.row.expires_time <= now())
      throw new AppError('not_found')
    return found
  }

  const payer = async (actor: RankedActor): Promise<CallerUser> => {
    const user = await things.user(settings().sandboxUser || actor.id)
    if (user === undefined || user.status !== userStatus.enabled) throw new AppError('inspector_no_sandbox')
    return user
  }

  return {
    async list(actor) {
      assertMay(actor)
      const rows = await store.latest(shownInspections)
      return rows.map((row) => shown(row, row.captures))
    },

    async start(actor, wanted) {
      assertMay(actor)
      const name = await targetName(actor, wanted)
      const row = await store.add({
        kind: wanted.kind,
        target_id: wanted.target_id,
        target_name: name.slice(0, 255),
        reason: wanted.reason,
        started_by: actor.id,
        started_role: actor.role,
        started_name: actor.username,
        started_time: now(),
        ends_time: now() + wanted.minutes * 60,
      })
      const { kind, target_id, minutes, reason } = wanted
      await trace(actor, 'inspector.started', row.id, { kind, target_id, target_name: name, minutes, reason })
      await running.changed()
      return shown(row, 0)
    },

    async stop(actor, id) {
      assertMay(actor)
      const row = await store.byId(id)
      if (row === undefined) throw new AppError('not_found')
      await store.end(id, now())
      await trace(actor, 'inspector.stop', id, { kind: row.kind, target_id: row.target_id })
      await running.changed()
    },

    async own(userId) {
      const rows = running.all()
      const account = rows.find(({ kind, target_id }) => kind === 'user' && target_id === userId)
      if (account !== undefined) return { until: account.ends_time, keys: [] }
      const own = { until: 0, keys: [] as string[] }
      for (const { kind, target_id, ends_time } of rows) {
        const token = kind === 'token' ? await things.token(target_id) : undefined
        if (token?.userId !== userId) continue
        own.until = Math.max(own.until, ends_time)
        own.keys.push(token.name)
      }
      return own
    },

    async captures(actor, { p: page, page_size, inspection, request_id: requestId }) {
      assertMay(actor)
      const filter = { role: actor.role, inspection, requestId }
      const [rows, total] = await Promise.all([
        store.page(filter, { offset: (page - 1) * page_size, limit: page_size }),
        store.count(filter),
      ])
      return { items: rows.map(shownRow), total, page, page_size }
    },

    async capture(actor, id) {
      const { row, content } = await readable(actor, id)
      await trace(actor, 'inspector.read', id, { request_id: row.request_id, username: row.username })
      const last = content.attempts.at(-1)
      return {
        ...shownRow(row),
        content,
        ...(last === undefined ? {} : { changes: bodyChanges(content.client.body, last.body) }),
        replays: [...(await store.replaysOf(id))],
        replay: replayOf(content.client),
      }
    },

    async pin(actor, id, pinned) {
      const { row } = await readable(actor, id)
      const expires = pinned ? now() + pinnedSeconds : row.created_time + settings().keepSeconds
      await store.pin(id, pinned, expires)
      await trace(actor, pinned ? 'inspector.pin' : 'inspector.unpin', id, { request_id: row.request_id })
    },

    async remove(actor, id) {
      const { row } = await readable(actor, id)
      await store.remove(id)
      await trace(actor, 'inspector.delete', id, { request_id: row.request_id })
    },

    async replay(actor, id, { channel_id: channel, model }) {
      const { row, content } = await readable(actor, id)
      if (row.pinned !== 1) throw new AppError('inspector_not_pinned')
      const may = replayOf(content.client)
      if (may !== 'possible') throw new AppError(`inspector_${may}`)
      const { path, query, body } = content.client
      const user = await payer(actor)
      await trace(actor, 'inspector.replay', id, { request_id: row.request_id, channel, model, paid_by: user.username })
      const { attach, written } = captures.replay({ id, inspection: row.inspection_id })
      await parts.replays.send({ user, channel, model, path, query, body: body.text, ip: actor.ip, attach })
      const made = await written
      if (made === undefined) throw new AppError('internal_error')
      return made
    },
  }
}
