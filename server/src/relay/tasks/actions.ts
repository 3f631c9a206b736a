import { drawingRefusal, TaskRefused } from './refusal.ts'

/** Actions of drawing services. */
export const drawingActions = [
  'IMAGINE',
  'DESCRIBE',
  'BLEND',
  'UPSCALE',
  'VARIATION',
  'REROLL',
  'INPAINT',
  'MODAL',
  'ZOOM',
  'CUSTOM_ZOOM',
  'SHORTEN',
  'HIGH_VARIATION',
  'LOW_VARIATION',
  'PAN',
  'SWAP_FACE',
  'UPLOAD',
] as const
export type DrawingAction = (typeof drawingActions)[number]

/** Paths after `/mj` that begin a drawing. */
export const drawingSubmissions = [
  'submit/imagine',
  'submit/change',
  'submit/simple-change',
  'submit/action',
  'submit/shorten',
  'submit/modal',
  'submit/describe',
  'submit/blend',
  'submit/upload-discord-images',
  'insight-face/swap',
] as const
export type DrawingSubmission = (typeof drawingSubmissions)[number]

/** Action of a submission. */
export interface DrawingRequest {
  readonly action: DrawingAction
  /** Id of the drawing that it continues; empty for none. */
  readonly originId: string
}

type Body = Readonly<Record<string, unknown>>

/** Model name of an action, by which it is priced, limited and routed. */
export const drawingModel = (action: DrawingAction): string =>
  action === 'SWAP_FACE' ? 'swap_face' : `mj_${action.toLowerCase()}`

/** True for actions that are paid by the following MODAL. */
export const isFree = (action: DrawingAction): boolean => action === 'INPAINT' || action === 'CUSTOM_ZOOM'

const refuse = (message: string): never => {
  throw new TaskRefused(drawingRefusal(message))
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** The service's own ids are numbers as text; some clients send them as numbers. */
const idOf = ({ taskId }: Body): string => (typeof taskId === 'number' ? String(taskId) : text(taskId))

const changes: readonly DrawingAction[] = [
  'UPSCALE',
  'VARIATION',
  'REROLL',
  'ZOOM',
  'PAN',
  'HIGH_VARIATION',
  'LOW_VARIATION',
]

/** A new roll concerns all four pictures. */
const withoutIndex: readonly DrawingAction[] = ['REROLL', 'ZOOM', 'PAN']

const change = (body: Body): DrawingRequest => {
  const originId = idOf(body)
  if (originId === '') refuse('task_id_is_required')
  const name = text(body.action).toUpperCase()
  if (name === '') refuse('action_is_required')
  const action = changes.find((one) => one === name) ?? refuse('unknown_action')
  if (!withoutIndex.includes(action) && !(Number(body.index) > 0)) refuse('index_is_required')
  return { action, originId }
}

/** `<taskId> u1`, `<taskId> v4` or `<taskId> r`. */
const simpleChange = ({ content }: Body): DrawingRequest => {
  const [, originId, kind] = /^(\S+)\s+(?:([uv])[1-4]|r)$/i.exec(text(content)) ?? []
  if (originId === undefined) return refuse('content_parse_failed')
  if (kind === undefined) return { action: 'REROLL', originId }
  return { action: kind.toLowerCase() === 'u' ? 'UPSCALE' : 'VARIATION', originId }
}

const indexAt = (parts: readonly string[], place: number): void => {
  if (!/^\d+$/.test(parts[place] ?? '')) refuse('index_parse_failed')
}

/** Action in a button's id, e.g. `MJ::JOB::upsample::2::3dbbd469-…`. */
const button = (customId: string): DrawingAction => {
  const parts = customId.split('::')
  const word = (parts[1] === 'JOB' ? parts[2] : parts[1]) ?? ''
  if (word === '') refuse('unknown_action')
  if (word.includes('upsample')) {
    indexAt(parts, 3)
    return 'UPSCALE'
  }
  if (word.includes('low_variation')) return 'LOW_VARIATION'
  if (word.includes('high_variation')) return 'HIGH_VARIATION'
  if (word.includes('variation')) {
    indexAt(parts, 3)
    return 'VARIATION'
  }
  if (word.includes('pan')) return 'PAN'
  if (word.includes('reroll')) return 'REROLL'
  if (word === 'Outpaint') return 'ZOOM'
  if (word === 'CustomZoom') return 'CUSTOM_ZOOM'
  return word === 'Inpaint' ? 'INPAINT' : refuse(`unknown_action:${customId}`)
}

const action = (body: Body): DrawingRequest => {
  const customId = text(body.customId)
  if (customId === '') refuse('custom_id_is_required')
  const originId = idOf(body)
  const pressed = button(customId)
  if (originId === '') refuse('task_id_is_required')
  return { action: pressed, originId }
}

const modal = (body: Body): DrawingRequest => {
  const originId = idOf(body)
  return originId === '' ? refuse('task_id_is_required') : { action: 'MODAL', originId }
}

const imagine = ({ prompt }: Body): DrawingRequest =>
  text(prompt) === '' ? refuse('prompt_is_required') : { action: 'IMAGINE', originId: '' }

const swapFace = (body: Body): DrawingRequest =>
  text(body.sourceBase64) === '' || text(body.targetBase64) === ''
    ? refuse('sour_base64_and_target_base64_is_required')
    : { action: 'SWAP_FACE', originId: '' }

const alone = (only: DrawingAction) => (): DrawingRequest => ({ action: only, originId: '' })

const readers: Readonly<Record<DrawingSubmission, (body: Body) => DrawingRequest>> = {
  'submit/imagine': imagine,
  'submit/change': change,
  'submit/simple-change': simpleChange,
  'submit/action': action,
  'submit/shorten': alone('SHORTEN'),
  'submit/modal': modal,
  'submit/describe': alone('DESCRIBE'),
  'submit/blend': alone('BLEND'),
  'submit/upload-discord-images': alone('UPLOAD'),
  'insight-face/swap': swapFace,
}

/** Reads a submission. Actions on a drawing must name it, so that its owner can be checked. Throws TaskRefused. */
export const readDrawingRequest = (submission: DrawingSubmission, body: Body): DrawingRequest =>
  readers[submission](body)
