import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { newRequestId } from '../../lib/ids.ts'
import { editMembers } from '../../lib/json/json-edit.ts'
import type { Client, ClientListeners, RelayCall } from '../../relay/call.ts'
import type { CallCapture } from '../../relay/call-capture.ts'
import type { CallerUser } from '../../relay/callers.ts'
import type { Relay } from '../../relay/relay.ts'
import { admitBody } from '../auth/admit.ts'
import type { AdmitParts } from '../auth/admit-parts.ts'
import type { Authentication } from '../auth/authentication.ts'
import type { RequestContext } from '../request-context.ts'
import type { FailureSender } from '../response/send-failure.ts'
import type { Routes } from '../routes.ts'

export interface ReplayParts extends AdmitParts {
  readonly authentication: Pick<Authentication, 'ofUser' | 'heldTo'>
  readonly relay: Relay
  readonly failures: Pick<FailureSender, 'print'>
  readonly routes: Pick<Routes, 'routeOf'>
  readonly clock: () => number
  /** Keeps the process from ending before a call is over. */
  readonly track: (call: Promise<void>) => void
}

/** A captured call to repeat as a user of this site. */
export interface ReplayRequest {
  /** The user who pays for the repeated call. */
  readonly user: CallerUser
  /** Id of the channel to use; 0 for any. */
  readonly channel: number
  /** Model to use instead; empty for the captured one. */
  readonly model: string
  readonly path: string
  readonly query: string
  readonly body: string
  readonly ip: string
  /** Attaches the capture of the repeated call. */
  readonly attach: (call: RelayCall) => CallCapture
}

/** Discards the answer, which the capture of the call contains. */
class NoClient implements Client {
  readonly gone = false
  begun = false

  head(): void {
    this.begun = true
  }

  write(): boolean {
    return true
  }

  end(): void {}

  abandon(): void {}

  listen(_: ClientListeners): void {}
}

const withModel = (path: string, named: string, model: string): string =>
  named === '' ? path : path.replace(`/${named}`, `/${encodeURIComponent(model)}`)

export interface CallReplays {
  /** True if calls of this path can be repeated: those with one body and one answer. */
  takes(path: string): boolean
  /**
   * Repeats a call of a path that `takes` accepts, with the same checks, price, hold, routing and charge as any other call. Throws
   * AppError where it is refused before it becomes a call.
   */
  send(request: ReplayRequest): Promise<void>
}

export const createReplays = (parts: ReplayParts): CallReplays => ({
  takes: (path) => parts.routes.routeOf('POST', path).kind === 'relay',

  async send(replay) {
    const first = parts.routes.routeOf('POST', replay.path)
    if (first.kind !== 'relay') throw new Error('calls of this path cannot be made again')
    const path = replay.model === '' ? replay.path : withModel(replay.path, first.model, replay.model)
    const route = path === replay.path ? first : parts.routes.routeOf('POST', path)
    const client = new NoClient()
    const request = new IncomingMessage(new Socket())
    const { ofUser, heldTo } = parts.authentication
    const playground = ofUser(replay.user, replay.user.group)
    const caller = replay.channel === 0 ? playground : heldTo(playground, replay.channel)
    const context: RequestContext = {
      id: newRequestId(),
      startedAt: parts.clock(),
      request,
      client,
      path,
      query: replay.query,
      ip: replay.ip,
      route,
      caller,
      model: '',
      stream: false,
    }
    const sent = Buffer.from(replay.body)
    const renamed = replay.model !== '' && first.model === ''
    const raw = renamed ? editMembers(sent, { model: JSON.stringify(replay.model) }) : sent
    const parsed = await parts.bodies.parsed(context, raw)
    const { call } = await admitBody(context, caller, parsed, parts)
    const capture = replay.attach(call)
    const over = parts.relay
      .answer({ ...call, capture }, client, (why) => parts.failures.print(context, why))
      .then(() => undefined)
    parts.track(over)
    await over
  },
})
