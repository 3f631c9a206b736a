import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import { aimOf } from './collections.ts'
import { madeBy } from './created-objects.ts'
import { nameText } from './ports.ts'

const made = (method: string, path: string, answer: JsonObject): readonly string[] => {
  const aim = aimOf(method, path)
  return aim === undefined ? [] : madeBy(aim, method, answer).map(nameText)
}

describe('what an answer says that its call has made', () => {
  it.each<readonly [string, string, JsonObject, readonly string[]]>([
    ['POST', '/v1/files', { id: 'file-1', object: 'file' }, ['files/file-1']],
    ['POST', '/upload/v1beta/files', { file: { name: 'files/abc', uri: 'https://g/v1beta/files/abc' } }, ['files/abc']],
    [
      'POST',
      '/v1/batches',
      { id: 'batch_1', output_file_id: 'file-2', error_file_id: null },
      ['batches/batch_1', 'files/file-2'],
    ],
    ['POST', '/v1/threads/runs', { id: 'run_1', thread_id: 'thread_1' }, ['threads/thread_1']],
    ['POST', '/v1/threads/runs', { id: 'thread_1', object: 'thread' }, []],
    ['POST', '/v1/videos/video_1/remix', { id: 'video_2' }, ['videos/video_2']],
    ['POST', '/v1/videos/video_1/other', { id: 'video_2' }, []],
    ['POST', '/v1beta/models/g:batchGenerateContent', { name: 'batches/b' }, ['batches/b']],
    ['POST', '/v1beta/models/veo:predictLongRunning', { name: 'models/veo/operations/o' }, ['operations/o']],
    ['POST', '/v1beta/tunedModels', { name: 'tunedModels/t/operations/o' }, ['tuned_models/t']],
    ['POST', '/v1/conversations', { conversation_id: 'conv_1', outputs: [] }, ['conversations/conv_1']],
    ['POST', '/v1/vector_stores/vs_1/files', { id: 'file-1' }, []],
    ['GET', '/v1/files/file-1', { id: 'file-1' }, []],
  ])('%s %s', (method, path, answer, expected) => expect(made(method, path, answer)).toEqual(expected))

  it('is in the events of a stream, too: the answer, its items, and what tools made', () => {
    const path = '/v1/responses'
    expect(made('POST', path, { type: 'response.created', response: { id: 'resp_1' } })).toEqual(['responses/resp_1'])
    const item = { id: 'ci_1', type: 'code_interpreter_call', container_id: 'cntr_1' }
    expect(made('POST', path, { type: 'response.output_item.done', item })).toEqual(['items/ci_1', 'containers/cntr_1'])
    const message = { id: 'msg_1', container: { id: 'container_1' }, content: [] }
    expect(made('POST', '/v1/messages', { type: 'message_start', message })).toEqual(['containers/container_1'])
    expect(
      made('POST', '/v1/messages', { type: 'message_delta', delta: { container: { id: 'container_1' } } }),
    ).toEqual(['containers/container_1'])
    const output = [{ type: 'bash_code_execution_output', file_id: 'file_1' }]
    const block = { type: 'bash_code_execution_tool_result', content: { content: output } }
    expect(made('POST', '/v1/messages', { type: 'content_block_start', content_block: block })).toEqual([
      'files/file_1',
    ])
  })

  it('is nothing that a model or a client wrote', () => {
    const content = [
      { type: 'tool_use', input: { file_id: 'file_1', container: { id: 'container_1' } } },
      { type: 'text', text: '{"file_id":"file_1"}' },
    ]
    expect(made('POST', '/v1/messages', { id: 'msg_1', container: null, content })).toEqual([])
    const metadata = { output: { responsesFile: 'files/abc' } }
    expect(made('POST', '/v1/batches', { id: 'batch_1', metadata })).toEqual(['batches/batch_1'])
  })
})
