import type { BetaContentBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type { Part } from '@google/genai'
import type { ChatCompletionContentPart } from 'openai/resources/chat/completions/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { anthropicDialect } from '../../../src/dialects/anthropic/dialect.ts'
import type { Dialect } from '../../../src/dialects/dialect.ts'
import { geminiDialect } from '../../../src/dialects/gemini/dialect.ts'
import { openaiChatDialect } from '../../../src/dialects/openai-chat/dialect.ts'
import { openaiResponsesDialect } from '../../../src/dialects/openai-responses/dialect.ts'

/**
 * One example of every item, block and part that the official SDKs can send, and of one that nobody knows. The tables are typed by
 * the SDKs' unions, so that a newer SDK with another type does not compile until it stands here.
 */

type Json = Record<string, unknown>

type ItemType = NonNullable<Extract<ResponseInputItem, { type?: unknown }>['type']>
type BlockType = BetaContentBlockParam['type']
type ChatPartType = ChatCompletionContentPart['type']
type PartMember = Exclude<
  keyof Part,
  | 'thought'
  | 'thoughtSignature'
  | 'mediaResolution'
  | 'partMetadata'
  | 'videoMetadata'
  | 'mediaProcessing'
  | 'speechMetadata'
>

const png = 'iVBORw0KGgo='
const unknown = { zeta: 'Zeta zeta', inner: { text: 'Inner zeta' } }

const items: Record<ItemType | 'agent_message' | 'made_up', Json> = {
  message: { role: 'assistant', content: [{ type: 'made_up_content', ...unknown }] },
  file_search_call: { id: 'fs_1', queries: ['Query'], status: 'completed', results: [{ text: 'Found' }] },
  computer_call: { id: 'cu_1', call_id: 'c1', action: { type: 'screenshot' }, pending_safety_checks: [] },
  computer_call_output: {
    call_id: 'c1',
    output: { type: 'computer_screenshot', image_url: `data:image/png;base64,${png}` },
  },
  web_search_call: { id: 'ws_1', status: 'completed', action: { type: 'search', query: 'Query' } },
  function_call: { call_id: 'c2', name: 'look', arguments: '{"where":"Rome"}' },
  function_call_output: { call_id: 'c3', output: [{ type: 'made_up_content', ...unknown }] },
  tool_search_call: { call_id: 'c4', execution: 'client', arguments: { query: 'Query' } },
  tool_search_output: {
    call_id: 'c4',
    execution: 'client',
    tools: [{ type: 'function', name: 'found', parameters: {} }],
  },
  additional_tools: { role: 'developer', tools: [{ type: 'function', name: 'more', parameters: {} }] },
  configuration_update: { ...unknown },
  reasoning: { id: 'rs_1', summary: [{ type: 'summary_text', text: 'Thought' }], encrypted_content: 'gAAAAsealed' },
  compaction: { id: 'cmp_1', encrypted_content: 'gAAAAsealed' },
  image_generation_call: { id: 'ig_1', status: 'completed', result: png },
  code_interpreter_call: { id: 'ci_1', code: 'print(1)', container_id: 'k', outputs: [], status: 'completed' },
  local_shell_call: {
    id: 'ls_1',
    call_id: 'c5',
    action: { type: 'exec', command: ['ls'], env: {} },
    status: 'completed',
  },
  local_shell_call_output: { id: 'c5', output: 'Files' },
  shell_call: { call_id: 'c6', action: { commands: ['ls'] } },
  shell_call_output: {
    call_id: 'c6',
    output: [{ stdout: 'Files', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
  },
  apply_patch_call: { call_id: 'c7', operation: { type: 'delete_file', path: 'a.txt' }, status: 'completed' },
  apply_patch_call_output: { call_id: 'c7', status: 'completed' },
  mcp_list_tools: { id: 'ml_1', server_label: 'Label', tools: [{ name: 'listed', input_schema: {} }] },
  mcp_approval_request: { id: 'mr_1', server_label: 'Label', name: 'act', arguments: '{}' },
  mcp_approval_response: { approval_request_id: 'mr_1', approve: true, reason: 'Reason' },
  mcp_call: { id: 'mc_1', server_label: 'Label', name: 'act', arguments: '{}', output: 'Acted' },
  custom_tool_call: { call_id: 'c8', name: 'free', input: 'Input' },
  custom_tool_call_output: { call_id: 'c8', output: '' },
  compaction_trigger: {},
  item_reference: { id: 'msg_1' },
  program: { ...unknown },
  program_output: { ...unknown },
  agent_message: {
    author: '/root',
    recipient: '/root/counter',
    content: [
      { type: 'input_text', text: 'Payload:\n' },
      { type: 'encrypted_content', encrypted_content: 'COUNT TO THREE' },
    ],
  },
  made_up: unknown,
}

const errorResult = (type: string): Json => ({
  tool_use_id: 'srvtoolu_1',
  content: { type, error_code: 'unavailable' },
})

const blocks: Record<BlockType | 'tool_reference' | 'made_up', Json> = {
  text: { text: '' },
  image: { source: { type: 'file', file_id: 'file_1' } },
  document: { source: { type: 'url', url: 'https://a.example/b.pdf' } },
  search_result: { source: 'https://a.example', title: 'Title', content: [{ type: 'text', text: 'Found' }] },
  thinking: { thinking: 'Thought', signature: 'SIG' },
  redacted_thinking: { data: 'SEALED' },
  tool_use: { id: 't1', name: 'look', input: { where: 'Rome' } },
  tool_result: { tool_use_id: 't1', content: [{ type: 'made_up', ...unknown }] },
  tool_reference: { tool_name: 'WebFetch' },
  server_tool_use: { id: 'srvtoolu_1', name: 'web_search', input: { query: 'Query' } },
  web_search_tool_result: errorResult('web_search_tool_result_error'),
  web_fetch_tool_result: errorResult('web_fetch_tool_result_error'),
  advisor_tool_result: errorResult('advisor_tool_result_error'),
  code_execution_tool_result: errorResult('code_execution_tool_result_error'),
  bash_code_execution_tool_result: errorResult('bash_code_execution_tool_result_error'),
  text_editor_code_execution_tool_result: errorResult('text_editor_code_execution_tool_result_error'),
  tool_search_tool_result: errorResult('tool_search_tool_result_error'),
  mcp_tool_use: { id: 'mcptoolu_1', name: 'act', server_name: 'Label', input: {} },
  mcp_tool_result: { tool_use_id: 'mcptoolu_1', content: [{ type: 'text', text: 'Acted' }] },
  mcp_tool_listing: { ...unknown },
  container_upload: { file_id: 'file_1' },
  compaction: { content: 'What happened' },
  tool_addition: { ...unknown },
  tool_removal: { ...unknown },
  fallback: { to: { model: 'other' } },
  made_up: unknown,
}

const chatParts: Record<ChatPartType | 'refusal' | 'video_url' | 'made_up', Json> = {
  text: { text: '' },
  refusal: { refusal: '' },
  image_url: { image_url: { url: `data:image/png;base64,${png}` } },
  video_url: { video_url: { url: 'https://a.example/b.mp4' } },
  input_audio: { input_audio: { data: png, format: 'wav' } },
  file: { file: { file_id: 'file-1' } },
  made_up: unknown,
}

const parts: Record<PartMember | 'madeUp', unknown> = {
  text: '',
  inlineData: { mimeType: 'image/png', data: png },
  fileData: { mimeType: 'video/mp4', fileUri: 'https://a.example/b.mp4' },
  functionCall: { name: 'look', args: { where: 'Rome' } },
  functionResponse: { name: 'look', response: {} },
  executableCode: { language: 'PYTHON', code: 'print(1)' },
  codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'One' },
  toolCall: { ...unknown },
  toolResponse: { ...unknown },
  audioTranscription: { ...unknown },
  madeUp: unknown,
}

export interface ItemCase {
  readonly name: string
  readonly client: Dialect
  /** A conversation of two questions with the item between them, or behind them as the last one. */
  readonly body: (place: 'between' | 'last') => Json
}

const around = (item: readonly Json[], user: (text: string) => Json, place: 'between' | 'last'): readonly Json[] =>
  place === 'between' ? [user('First'), ...item, user('Last')] : [user('First'), user('Last'), ...item]

const caller = (type: string): readonly Json[] =>
  ({
    tool_result: [{ role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: {} }] }],
    function_call_output: [{ type: 'function_call', call_id: 'c3', name: 'look', arguments: '{}' }],
  })[type] ?? []

const userBlocks = /^(image|document|search_result|tool_result|container_upload|made_up)$/

export const itemCases: readonly ItemCase[] = [
  ...Object.entries(items).map(([type, item]) => ({
    name: `Responses: ${type}`,
    client: openaiResponsesDialect,
    body: (place: 'between' | 'last') => ({
      input: around([...caller(type), { type, ...item }], (content) => ({ role: 'user', content }), place),
    }),
  })),
  ...Object.entries(blocks).map(([type, block]) => ({
    name: `Messages: ${type}`,
    client: anthropicDialect,
    body: (place: 'between' | 'last') => ({
      max_tokens: 50,
      messages: around(
        [...caller(type), { role: userBlocks.test(type) ? 'user' : 'assistant', content: [{ type, ...block }] }],
        (content) => ({ role: 'user', content }),
        place,
      ),
    }),
  })),
  ...Object.entries(chatParts).flatMap(([type, part]) =>
    ['user', 'assistant', 'tool'].map((role) => ({
      name: `chat completions: ${type} of ${role}`,
      client: openaiChatDialect,
      body: (place: 'between' | 'last') => {
        const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
        const message = { role, content: [{ type, ...part }], ...(role === 'tool' ? { tool_call_id: 'c1' } : {}) }
        const turns = role === 'tool' ? [{ role: 'assistant', content: null, tool_calls: [call] }, message] : [message]
        return { messages: around(turns, (content) => ({ role: 'user', content }), place) }
      },
    })),
  ),
  ...Object.entries(parts).flatMap(([member, value]) =>
    ['user', 'model'].map((role) => ({
      name: `generateContent: ${member} of ${role}`,
      client: geminiDialect,
      body: (place: 'between' | 'last') => ({
        contents: around(
          [{ role, parts: [{ [member]: value }] }],
          (text) => ({ role: 'user', parts: [{ text }] }),
          place,
        ),
      }),
    })),
  ),
]
