import type { Ask } from '../site.ts'
import type { Made } from './made.ts'

export const post = (path: string, body: unknown): Ask => ({ method: 'POST', path, body })
export const get = (path: string): Ask => ({ method: 'GET', path })

/** Calls that name one thing of another key, and read it. `direct` is the beginning of direct calls. */
export const readingsOf = (direct: string): readonly ((made: Made) => Ask)[] => [
  ({ drawing }) => get(`/mj/task/${drawing}/fetch`),
  ({ drawing }) => get(`/mj/task/${drawing}/image-seed`),
  ({ song }) => get(`/suno/fetch/${song}`),
  ({ response }) => get(`/v1/responses/${response}`),
  ({ response }) => get(`/v1/responses/${response}/input_items`),
  ({ completion }) => get(`/v1/chat/completions/${completion}`),
  ({ completion }) => get(`/v1/chat/completions/${completion}/messages`),
  ({ conversation }) => get(`/v1/conversations/${conversation}`),
  ({ conversation }) => get(`/v1/conversations/${conversation}/items`),
  ({ conversation, item }) => get(`/v1/conversations/${conversation}/items/${item}`),
  ({ file }) => get(`${direct}/v1/files/${file}`),
  ({ file }) => get(`${direct}/v1/files/${file}/content`),
  ({ batch }) => get(`${direct}/v1/batches/${batch}`),
  ({ batchOutput }) => get(`${direct}/v1/files/${batchOutput}/content`),
]

const naming = (file_id: string) => ({
  model: 'gpt-4o',
  messages: [{ role: 'user', content: [{ type: 'file', file: { file_id } }] }],
})

/** Calls that change a thing, or go on from it. */
export const changesOf = (direct: string): readonly ((made: Made) => Ask)[] => [
  ({ drawing }) => post('/mj/notify', { id: drawing }),
  ({ drawing }) => post('/mj/submit/change', { taskId: drawing, action: 'UPSCALE', index: 1 }),
  ({ song }) => post('/suno/submit/music', { task_id: song, continue_clip_id: 'clip', prompt: 'on' }),
  ({ response }) => post('/v1/responses', { model: 'gpt-4o', input: 'on', previous_response_id: response }),
  ({ conversation }) => post('/v1/responses', { model: 'gpt-4o', input: 'on', conversation }),
  ({ conversation }) => post('/v1/responses', { model: 'gpt-4o', input: 'on', conversation: { id: conversation } }),
  ({ response }) => post(`/v1/responses/${response}/cancel`, {}),
  ({ response }) => ({ method: 'DELETE', path: `/v1/responses/${response}` }),
  ({ completion }) => post(`/v1/chat/completions/${completion}`, { metadata: { a: 'b' } }),
  ({ completion }) => ({ method: 'DELETE', path: `/v1/chat/completions/${completion}` }),
  ({ conversation }) => post(`/v1/conversations/${conversation}`, { metadata: { a: 'b' } }),
  ({ conversation }) => post(`/v1/conversations/${conversation}/items`, { items: [{ role: 'user', content: 'x' }] }),
  ({ conversation, item }) => ({ method: 'DELETE', path: `/v1/conversations/${conversation}/items/${item}` }),
  ({ conversation }) => ({ method: 'DELETE', path: `/v1/conversations/${conversation}` }),
  ({ content }) => get(`/v1beta/${content}`),
  ({ content }) => ({ method: 'PATCH', path: `/v1beta/${content}`, body: { ttl: '60s' } }),
  ({ content }) => ({ method: 'DELETE', path: `/v1beta/${content}` }),
  ({ file }) => ({ method: 'DELETE', path: `${direct}/v1/files/${file}` }),
  ({ batch }) => post(`${direct}/v1/batches/${batch}/cancel`, {}),
  ({ file }) => post(`${direct}/v1/batches`, { input_file_id: file }),
  ({ file }) => post(`${direct}/v1/vector_stores`, { file_ids: [file] }),
  ({ file }) => post(`${direct}/v1/chat/completions`, naming(file)),
  ({ file }) => post('/v1/chat/completions', naming(file)),
]

/** Calls that list, or answer several things at once. */
export const listsOf = (direct: string, things: readonly Made[]): readonly Ask[] => [
  post('/mj/task/list-by-condition', { ids: things.map(({ drawing }) => drawing) }),
  post('/suno/fetch', { ids: things.map(({ song }) => song) }),
  get('/v1/chat/completions?limit=100'),
  get('/v1beta/cachedContents?pageSize=100'),
  get(`${direct}/v1/files?limit=100`),
  get(`${direct}/v1/batches?limit=100`),
]

/** Bodies of turns that go on from a thing, and whose answer tells what it was. */
export const turnsFrom: readonly ((made: Made) => Readonly<Record<string, unknown>>)[] = [
  ({ response }) => ({ model: 'gpt-4o', input: 'on', store: false, previous_response_id: response }),
  ({ conversation }) => ({ model: 'gpt-4o', input: 'on', store: false, conversation }),
]
