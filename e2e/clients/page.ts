import { type UpstreamKind, upstreamKinds } from './client.ts'
import { cellText, type Row } from './compare.ts'

/** The part of docs/conformance.md that tells what clients did. */

const labels: Readonly<Record<UpstreamKind, string>> = {
  chat: 'Chat completions',
  deepseek: 'DeepSeek',
  responses: 'Responses',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

export const tableOf = (rows: readonly Row[]): string[] => [
  line(['Client', 'Version', ...upstreamKinds.map((kind) => labels[kind])]),
  line(['---', '---', ...upstreamKinds.map(() => '---')]),
  ...rows.map(({ client, version, outcomes }) =>
    line([client, version, ...upstreamKinds.map((kind) => cellText(outcomes[kind]))]),
  ),
]

const begin = '<!-- clients: npm run clients -- --write -->'
const end = '<!-- /clients -->'

const introduction = [
  '## Clients',
  '',
  'Official clients and coding agents as their registries have them, run as programs through the built gateway with scripted providers',
  'behind it that refuse what the real ones refuse. `npm run clients` installs them at the versions of `e2e/clients/pinned.json`, in',
  '`CLIENTS_FOLDER` (else the folder of the system for temporary files), runs them all, and compares with this table; names behind it choose',
  'some of them. It ends with 1 when a cell got worse. `npm run clients -- --newest` takes the newest versions, and tells what they change.',
  '',
  'A cell is the number of checks that passed: a plain answer, a streamed loop with two tool calls and thoughts, a second question, a',
  'stream that is silent for 18 seconds before its first event, errors as the classes that the client has for them, and what else it can',
  'do: counts, embeddings, reranking, lists of models. Each call has to stand in the log with the tokens and the quota of what the',
  'provider stated.',
  '',
  'GigaChat’s own client is run with what it shares with chat completions: answers, streams and the list of models, at an address that ends',
  'in `/v1` (`chat(…)` and `stream(…)`). Its calls of functions, whose arguments are objects, its embeddings, which want a usage in every',
  'item, and its newer `chat.create(…)` at `/v2` are a dialect of GigaChat’s, which the gateway does not speak.',
]

/** The part between the markers of a page; empty where it has none. */
export const clientsPart = (page: string): string => {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  return from === -1 || to === -1 ? '' : page.slice(from, to + end.length)
}

/** A page with its part about clients replaced, or added at its end where it has none. */
export const withClientsPart = (page: string, part: string): string => {
  const old = clientsPart(page)
  if (part === '' || old === part) return page
  return old === '' ? `${page.trimEnd()}\n\n${part}\n` : page.replace(old, () => part)
}

export const partOf = (rows: readonly Row[]): string =>
  [begin, '', ...introduction, '', ...tableOf(rows), '', end].join('\n')
