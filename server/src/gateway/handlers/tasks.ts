import { costHeaders, exposedCost } from '../../relay/answer-cost/answer-cost.ts'
import { unsupportedHeader } from '../../relay/exchange/printed-answer.ts'
import type { Caller } from '../../relay/ports.ts'
import type { Relay } from '../../relay/relay.ts'
import { drawingModel, readDrawingRequest } from '../../relay/tasks/actions.ts'
import { servicePath, type TaskRequest } from '../../relay/tasks/drawing-submission.ts'
import { type ClientAnswer, failureOfRefusal, refusalAnswer, TaskRefused } from '../../relay/tasks/refusal.ts'
import { readSongAction, songModel } from '../../relay/tasks/song-submission.ts'
import type { TaskAnswer } from '../../relay/tasks/submit.ts'
import type { TaskRelay } from '../../relay/tasks/task-relay.ts'
import type { AdmitParts } from '../auth/admit-parts.ts'
import { costAskedBy } from '../auth/cost-asked.ts'
import { fenceTask } from '../auth/fence-task.ts'
import type { ParsedBody } from '../bodies/parsed-body.ts'
import { endUserOfHeader } from '../request/end-user.ts'
import type { RequestContext } from '../request-context.ts'
import { jsonHead } from '../response/send-failure.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'
import type { TaskRoute } from './task-routes.ts'

export interface TaskHandlerParts extends HandlerParts, AdmitParts {
  readonly tasks: TaskRelay
  readonly relay: Pick<Relay, 'refuse'>
}

type Drawing = Extract<TaskRoute, { kind: 'drawing' }>
type Song = Extract<TaskRoute, { kind: 'song' }>

const nothing: ClientAnswer = { status: 200, bytes: Buffer.alloc(0) }

/** True for calls that reach an upstream, which count for the rate limit. */
const asksUpstream = (route: TaskRoute): boolean =>
  route.call === 'submit' || route.call === 'notify' || route.call === 'image-seed'

/** Midjourney's and Suno's calls. */
export const createTaskHandler = (parts: TaskHandlerParts): Handler<RouteOf<'drawing' | 'song'>> => {
  const { tasks, relay, authentication, failures } = parts

  const bodyOf = async (context: RequestContext, caller: Caller): Promise<ParsedBody> =>
    parts.bodies.parsed(context, await parts.bodies.paid(context, caller))

  /** The relay request of an action: its model is limited, routed and priced like any other. */
  const requestOf = (
    context: RequestContext,
    caller: Caller,
    { model, platform }: { readonly model: string; readonly platform: 'midjourney' | 'suno' },
    parsed: ParsedBody,
  ): TaskRequest => {
    const plan = parts.plans.admitted(context, caller, { kind: 'task', name: model })
    const { id, startedAt, ip, program, path, query, request } = context
    const fencing = { caller, platform, model, query, parts: { channels: parts.channels, options: plan.options } }
    const { body: fenced, named, versions, removed } = fenceTask(parsed, fencing)
    if (removed !== undefined) context.answerHeaders?.push(...unsupportedHeader(removed))
    const endUser = endUserOfHeader(request.headers)
    const costAsked = costAskedBy(context, caller)
    return {
      facts: {
        id,
        startedAt,
        caller,
        ip,
        program,
        endUser,
        path,
        model,
        plan,
        named,
        versions,
        stream: false,
        costAsked,
      },
      upstreamPath: `${servicePath(path)}${parts.keys.withoutKey(query)}`,
      ...fenced,
      accept: request.headers.accept,
    }
  }

  const drawing = async (context: RequestContext, caller: Caller, route: Drawing): Promise<TaskAnswer> => {
    const { drawings } = tasks
    if (route.call === 'fetch') return drawings.fetch(caller, route.id, costAskedBy(context, caller))
    if (route.call === 'image-seed') return drawings.imageSeed(caller, route.id)
    const parsed = await bodyOf(context, caller)
    if (route.call === 'submit') {
      const drawingRequest = readDrawingRequest(route.submission, parsed.body)
      return drawings.submit(
        requestOf(context, caller, { model: drawingModel(drawingRequest.action), platform: 'midjourney' }, parsed),
        drawingRequest,
      )
    }
    if (route.call === 'list') return drawings.list(caller, parsed.body, costAskedBy(context, caller))
    await drawings.notify(caller, parsed.body)
    return nothing
  }

  const song = async (context: RequestContext, caller: Caller, route: Song): Promise<TaskAnswer> => {
    const { songs } = tasks
    if (route.call === 'fetch') return songs.fetch(caller, route.id, costAskedBy(context, caller))
    const parsed = await bodyOf(context, caller)
    if (route.call === 'list') return songs.list(caller, parsed.body, costAskedBy(context, caller))
    const action = readSongAction(route.action)
    return songs.submit(requestOf(context, caller, { model: songModel(action), platform: 'suno' }, parsed), action)
  }

  const sendAnswer = ({ client }: RequestContext, { status, bytes }: ClientAnswer, head = jsonHead(bytes)): void => {
    if (client.gone) return
    client.head(status, head)
    client.end(bytes)
  }

  /** Sends an error in the platform's format. Queries are not recorded. */
  const refuse = async (
    context: RequestContext,
    route: TaskRoute,
    caller: Caller,
    { refusal }: TaskRefused,
  ): Promise<void> => {
    if (route.call === 'submit') await relay.refuse({ ...context, caller }, failureOfRefusal(refusal))
    const answer = refusalAnswer(route.kind === 'drawing' ? 'midjourney' : 'suno', refusal)
    failures.afterRecord(context, () => sendAnswer(context, answer))
  }

  const answer = async (context: RequestContext, route: TaskRoute, caller: Caller): Promise<void> => {
    const { rateLimit } = parts.options()
    const counts = asksUpstream(route)
    if (counts) await authentication.rateLimited(caller, rateLimit)
    const answered = await (route.kind === 'drawing' ? drawing(context, caller, route) : song(context, caller, route))
    if ('failure' in answered) return failures.afterRecord(context, () => failures.send(context, answered.failure))
    // Printed before the success is recorded: an answer that cannot be printed is a failure.
    const { cost } = answered
    const head = jsonHead(answered.bytes, cost && [...costHeaders(cost), ...exposedCost])
    failures.afterRecord(context, () => {
      if (counts && answered.status < 400) authentication.succeeded(caller, rateLimit)
      sendAnswer(context, answered, head)
    })
  }

  return withCaller<RouteOf<'drawing' | 'song'>>(parts, async (context, route, caller) => {
    try {
      await answer(context, route, caller)
    } catch (error) {
      if (!(error instanceof TaskRefused)) throw error
      await refuse(context, route, caller, error)
    }
  })
}
