import { errorText } from '@tollgate/contract'
import { textOf } from '../../dialects/conversation/json.ts'
import { editMembers } from '../../lib/json/json-edit.ts'
import type { BoundPlace } from '../call.ts'
import type { SubmissionParts, TaskRequest } from './drawing-submission.ts'
import { placeOf } from './place.ts'
import { songRefusal, TaskRefused } from './refusal.ts'
import { songVerdict } from './song-verdict.ts'
import type { Submission } from './submit.ts'

export type SongAction = 'MUSIC' | 'LYRICS'

const refuse = (code: string, message = code, status = 400): never => {
  throw new TaskRefused(songRefusal(code, message, status))
}

/** Throws TaskRefused for anything but MUSIC and LYRICS, in any case. */
export const readSongAction = (word: string): SongAction => {
  const action = word.toUpperCase()
  return action === 'MUSIC' || action === 'LYRICS' ? action : refuse('invalid_request', 'invalid_action')
}

/** The model name of an action, by which it is priced, limited and routed. */
export const songModel = (action: SongAction): string => `suno_${action.toLowerCase()}`

const usualVersion = 'chirp-v3-0'

/** A clip that is continued belongs to a task, which only its own channel knows. */
const placeFor = async ({ facts, body }: TaskRequest, parts: SubmissionParts): Promise<BoundPlace | undefined> => {
  const taskId = textOf(body.task_id)
  if (textOf(body.continue_clip_id) !== '' && taskId === '') refuse('invalid_request', 'task id is empty')
  if (taskId === '') return undefined
  const origin = (await parts.books.song(facts.caller, taskId)) ?? refuse('task_not_exist', 'task_origin_not_exist')
  const place = placeOf(origin, parts.channels, parts.keyHashOf) ?? refuse('channel_not_found', 'channel_not_found')
  return place.channel.enabled ? place : refuse('task_channel_disable', errorText('task_channel_disabled', 'zh'))
}

/**
 * The body with the usual version of the model, and an address for calls about the song where the client states none
 * (docs.fast-token.com/en/suno, `notify_hook`, November 2026); all other bytes stay.
 */
const completed = ({ raw, body, facts }: TaskRequest, action: SongAction, parts: SubmissionParts): Buffer => {
  const changes: Record<string, string> = {}
  if (action === 'MUSIC' && textOf(body.mv) === '') changes.mv = JSON.stringify(usualVersion)
  const callbackUrl = textOf(body.notify_hook) === '' ? parts.callbackUrl('suno', facts.id) : undefined
  if (callbackUrl !== undefined) changes.notify_hook = JSON.stringify(callbackUrl)
  return Object.keys(changes).length === 0 ? raw : editMembers(raw, changes)
}

/** The submission for a request. Throws TaskRefused. */
export const songSubmission = async (
  request: TaskRequest,
  action: SongAction,
  parts: SubmissionParts,
): Promise<Submission> => {
  const { facts, body, raw } = request
  const lyrics = textOf(body.prompt)
  if (action === 'LYRICS' && lyrics === '') refuse('invalid_request', 'prompt_empty')
  const place = await placeFor(request, parts)
  const texts = [textOf(body.gpt_description_prompt), lyrics, textOf(body.title), textOf(body.tags)]
  const prompt = texts.filter((part) => part !== '').join('\n')
  return {
    call: { ...facts, raw, body: { prompt }, place },
    platform: 'suno',
    action,
    free: false,
    path: `/suno/submit/${action}`,
    body: completed(request, action, parts),
    accept: request.accept,
    prompt,
    verdict: songVerdict,
    quotaRefusal: songRefusal('quota_not_enough', 'user quota is not enough', 403),
  }
}
