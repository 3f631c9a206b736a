import { expect, it } from 'vitest'
import { namedObjects } from './named-objects.ts'
import { nameText } from './ports.ts'

const names = (body: unknown) => {
  const { named, alike } = namedObjects(body)
  return { named: named.map(nameText), alike: alike.map(nameText) }
}
const namedIn = (body: unknown): readonly string[] => names(body).named

it('members that name objects are found wherever they stand', () => {
  expect(namedIn({ input_file_id: 'file-1', endpoint: '/v1/responses' })).toEqual([
    'files/file-1',
    'batch_inputs/file-1',
  ])
  expect(namedIn({ messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }] })).toEqual([
    'files/file-1',
  ])
  expect(namedIn({ tools: [{ type: 'file_search', vector_store_ids: ['vs_1', 'vs_2'] }] })).toEqual([
    'vector_stores/vs_1',
    'vector_stores/vs_2',
  ])
  expect(namedIn({ tool_resources: { code_interpreter: { file_ids: ['file-1'] } } })).toEqual(['files/file-1'])
  expect(namedIn({ tools: [{ type: 'code_interpreter', container: 'cntr_1' }] })).toEqual(['containers/cntr_1'])
  expect(namedIn({ container: { id: 'container_1', skills: [{ type: 'custom', skill_id: 'skill_1' }] } })).toEqual([
    'containers/container_1',
    'skills/skill_1',
  ])
  expect(namedIn({ conversation: { id: 'conv_1' }, previous_response_id: 'resp_1' })).toEqual([
    'conversations/conv_1',
    'responses/resp_1',
  ])
  const fileData = { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc', mimeType: 'text/plain' }
  expect(namedIn({ contents: [{ parts: [{ fileData }] }], cachedContent: 'cachedContents/c' })).toEqual([
    'files/abc',
    'cached_contents/c',
  ])
  expect(namedIn({ input: [{ type: 'item_reference', id: 'msg_1' }] })).toEqual(['items/msg_1'])
})

it('what is nobody’s is not named: addresses of others, ready-made skills, and what containers hold', () => {
  expect(namedIn({ fileData: { fileUri: 'https://example.com/files/abc' } })).toEqual([])
  expect(namedIn({ skills: [{ type: 'anthropic', skill_id: 'pptx' }] })).toEqual([])
  expect(namedIn({ content: [{ type: 'video', video: 'https://example.com/a.mp4' }] })).toEqual([])
  expect(namedIn({ annotations: [{ type: 'container_file_citation', file_id: 'cfile_1' }] })).toEqual([])
  expect(namedIn({ tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] })).toEqual([])
})

it('members that clients and models choose name nothing, unless the text is an id of a known shape', () => {
  const own = { type: 'tool_use', name: 'open', input: { file_id: '17' } }
  const schema = { parameters: { properties: { file_id: { type: 'string' }, container: 'x' } } }
  const call = { functionCall: { name: 'open', args: { file_id: '17' } } }
  const answer = { functionResponse: { name: 'open', response: { file_id: '17' } } }
  expect(names({ messages: [own], tools: [schema], contents: [call, answer], metadata: { file_id: '17' } })).toEqual({
    named: [],
    alike: [],
  })
  expect(names({ messages: [{ ...own, input: { file_id: 'file_011abc' } }] })).toEqual({
    named: [],
    alike: ['files/file_011abc'],
  })
})
