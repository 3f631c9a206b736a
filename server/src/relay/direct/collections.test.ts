import { describe, expect, it } from 'vitest'
import { aimOf, bareId, collections } from './collections.ts'

const aim = (method: string, path: string): string => {
  const found = aimOf(method, path)
  if (found === undefined) return 'unknown'
  if (found.kind === 'action') return `action${found.makes === undefined ? '' : ` makes ${found.makes.kind}`}`
  if (found.kind === 'models') return 'models models'
  return found.kind === 'all'
    ? `all ${found.collection.kind}`
    : `${found.collection.kind} ${found.id} ${found.below}`.trim()
}

describe('the address of a direct call', () => {
  it.each([
    ['GET', '/v1/files', 'all files'],
    ['POST', '/v1/files', 'all files'],
    ['GET', '/v1/files/file-1/content', 'files file-1 content'],
    ['DELETE', '/v1/files/file-1', 'files file-1'],
    ['GET', '/openai/v1/files/file-1', 'files file-1'],
    ['GET', '/openai/files/file-1', 'files file-1'],
    ['GET', '/compatible-mode/v1/batches/batch_1', 'batches batch_1'],
    ['GET', '/api/paas/v4/files/1', 'files 1'],
    ['POST', '/v1/batches/batch_1/cancel', 'batches batch_1 cancel'],
    ['GET', '/v1/vector_stores/vs_1/file_batches/b/files', 'vector_stores vs_1 file_batches/b/files'],
    ['POST', '/v1/threads/thread_1/runs', 'threads thread_1 runs'],
    ['POST', '/v1/threads/runs', 'action makes threads'],
    ['GET', '/v1/fine_tuning/jobs/ftjob-1/events', 'fine_tuning_jobs ftjob-1 events'],
    ['GET', '/v1/responses/resp_1/input_items', 'responses resp_1 input_items'],
    ['POST', '/v1/responses/compact', 'action'],
    ['GET', '/v1/chat/completions/chatcmpl-1/messages', 'completions chatcmpl-1 messages'],
    ['POST', '/v1/videos/video_1/remix', 'videos video_1 remix'],
    ['GET', '/v1/messages/batches/msgbatch_1/results', 'message_batches msgbatch_1 results'],
    ['POST', '/v1/messages/count_tokens', 'action'],
    ['GET', '/v1beta/files/abc:download', 'files abc :download'],
    ['POST', '/upload/v1beta/files', 'all files'],
    [
      'POST',
      '/upload/v1beta/fileSearchStores/s:uploadToFileSearchStore',
      'file_search_stores s :uploadToFileSearchStore',
    ],
    ['GET', '/v1beta/cachedContents', 'all cached_contents'],
    ['POST', '/v1beta/models/gemini-2:batchGenerateContent', 'action makes batches'],
    ['POST', '/v1beta/models/veo-3:predictLongRunning', 'action makes operations'],
    ['GET', '/v1beta/models/veo-3/operations/op1', 'operations op1'],
    ['POST', '/v1beta/tunedModels/t:generateContent', 'tuned_models t :generateContent'],
    ['POST', '/v1/projects/p/locations/l/cachedContents', 'all cached_contents'],
    ['GET', '/v1/batch/jobs/j', 'batch_jobs j'],
    ['GET', '/v1/models/gpt-4o', 'action'],
    ['GET', '/v1/models', 'models models'],
    ['GET', '/v1/models/ft:gpt-4o:org::id', 'models ft:gpt-4o:org::id'],
    ['GET', '/v1/models/FT%3Agpt-4o:org::id', 'models FT:gpt-4o:org::id'],
    ['DELETE', '/v1/models/ft:gpt-4o:org::id:ckpt-step-88', 'models ft:gpt-4o:org::id'],
  ])('%s %s', (method, path, expected) => expect(aim(method, path)).toBe(expected))

  it('is read as its provider reads it', () => {
    for (const path of ['/v1/%66iles/file-1', '/v1/Files/file-1', '/V1/FILES/file-1', '/v1/files/%66ile-1'])
      expect([path, aim('GET', path)]).toEqual([path, 'files file-1'])
    expect(aim('GET', '/v1/files/%E0%A4%A')).toBe('unknown')
  })

  it('is unknown where nobody knows whose things are behind it', () => {
    for (const path of ['/v1/organization/usage', '/v1/things', '/v1/files;a=b', '/v1/files:all', '/batch', '/'])
      expect([path, aim('GET', path)]).toEqual([path, 'unknown'])
    expect(aim('DELETE', '/v1/files')).toBe('unknown')
    expect(aim('DELETE', '/v1/models/gpt-4o')).toBe('unknown')
    expect(aim('POST', '/v1/realtime/client_secrets')).toBe('unknown')
  })
})

it('kinds have one entry each', () => {
  expect(new Set(collections.map(({ kind }) => kind)).size).toBe(collections.length)
  expect(new Set(collections.flatMap(({ paths }) => paths)).size).toBe(collections.flatMap(({ paths }) => paths).length)
})

it('an id is the same however an object is called', () => {
  expect(bareId('files', 'file-1')).toBe('file-1')
  for (const name of ['files/abc', 'https://generativelanguage.googleapis.com/v1beta/files/abc:download?alt=media'])
    expect(bareId('files', name)).toBe('abc')
  expect(bareId('models', 'ft:gpt-4o:org::id:ckpt-step-88')).toBe('ft:gpt-4o:org::id')
  expect(bareId('operations', 'models/veo/operations/op1')).toBe('op1')
  expect(bareId('tuned_models', 'tunedModels/t/operations/o')).toBe('t')
})
