import type { Caller } from '../../relay/ports.ts'
import { lacksChannel } from '../../relay/routing/no-channel.ts'
import { drawingModel, readDrawingAsk } from '../../relay/tasks/actions.ts'
import { servicePath, type TaskRequest } from '../../relay/tasks/drawing-submission.ts'
import { type ClientAnswer, refusalAnswer, type TaskRefusal } from '../../relay/tasks/refusal.ts'
import { readSongAction, songModel } from '../../relay/tasks/song-submission.ts'
import type { TaskAnswer } from '../../relay/tasks/submit.ts'
import type { TaskRelay } from '../../relay/tasks/task-relay.ts'
import { type AdmitParts, checkChannel, checkModel, withoutKey } from '../auth/admit.ts'
import type { ParsedBody } from '../bodies/parsed-body.ts'
import type { Visit } from '../visit.ts'
import type { TaskRoute } from './task-routes.ts'

export interface TaskDoorParts extends AdmitParts {
  readonly tasks: TaskRelay
}

type Drawing = Extract<TaskRoute, { kind: 'drawing' }>
type Song = Extract<TaskRoute, { kind: 'song' }>

const json = (value: unknown): ClientAnswer => ({ status: 200, bytes: Buffer.from(JSON.stringify(value)) })
const nothing: ClientAnswer = { status: 200, bytes: Buffer.alloc(0) }

/** What reaches an upstream, and so counts for the limit of calls. */
export const asksUpstream = (route: TaskRoute): boolean =>
  route.call === 'submit' || route.call === 'notify' || route.call === 'image-seed'

/** Whoever waits for an answer reads its error in the platform's words. */
export const taskRefusal = (route: TaskRoute, refusal: TaskRefusal): ClientAnswer =>
  refusalAnswer(route.kind === 'drawing' ? 'midjourney' : 'suno', refusal)

/** Answers Midjourney's and Suno's calls. What is learned is noted in `visit`. Throws TaskRefused and AppError. */
export const createTaskDoor = (parts: TaskDoorParts) => {
  const { tasks } = parts

  const bodyOf = async (visit: Visit, caller: Caller): Promise<ParsedBody> =>
    parts.bodies.parsed(visit, await parts.bodies.paid(visit, caller))

  /** The model that an action is: limited, routed and priced like any other. */
  const requestOf = (visit: Visit, caller: Caller, model: string, { raw, body }: ParsedBody): TaskRequest => {
    visit.model = model
    checkModel(caller, model)
    // Their models follow from the path, so none is misspelt.
    checkChannel(caller, model, parts.channels, lacksChannel)
    const { id, startedAt, ip, path, query, request } = visit
    return {
      facts: { id, startedAt, caller, ip, path, model, stream: false },
      upstreamPath: `${servicePath(path)}${withoutKey(query)}`,
      raw,
      body,
      accept: request.headers.accept,
    }
  }

  const drawing = async (visit: Visit, caller: Caller, route: Drawing): Promise<TaskAnswer> => {
    const { drawings } = tasks
    if (route.call === 'fetch') return json(await drawings.fetch(caller.userId, route.id))
    if (route.call === 'image-seed') return drawings.imageSeed(caller.userId, route.id)
    const parsed = await bodyOf(visit, caller)
    if (route.call === 'submit') {
      const asked = readDrawingAsk(route.submission, parsed.body)
      return drawings.submit(requestOf(visit, caller, drawingModel(asked.action), parsed), asked)
    }
    if (route.call === 'list') return json(await drawings.list(caller.userId, parsed.body))
    await drawings.notify(caller.userId, parsed.body)
    return nothing
  }

  const song = async (visit: Visit, caller: Caller, route: Song): Promise<TaskAnswer> => {
    const { songs } = tasks
    if (route.call === 'fetch') return json(await songs.fetch(caller.userId, route.id))
    const parsed = await bodyOf(visit, caller)
    if (route.call === 'list') return json(await songs.list(caller.userId, parsed.body))
    const action = readSongAction(route.action)
    return songs.submit(requestOf(visit, caller, songModel(action), parsed), action)
  }

  return {
    answer: (visit: Visit, caller: Caller, route: TaskRoute): Promise<TaskAnswer> =>
      route.kind === 'drawing' ? drawing(visit, caller, route) : song(visit, caller, route),
  }
}
