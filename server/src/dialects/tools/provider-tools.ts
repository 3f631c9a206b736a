import { offeredAs } from '../../billing/declared/offered-tools.ts'
import { isObject, type JsonObject, listOf } from '../conversation/json.ts'
import { containerNamed, toolNamed } from './tools-used.ts'

/** Request fields that start provider tools. Compatible upstreams accept those of other APIs too. */
const toolMembers = ['web_search_options', 'search_parameters', 'plugins', 'enable_search', 'mcp_servers'] as const

const declarations: ReadonlySet<string> = new Set(['functionDeclarations', 'function_declarations'])

const runsAtClient = (tool: unknown): boolean => {
  if (!isObject(tool)) return true
  if (tool.type !== undefined) return tool.type === 'function' || tool.type === 'custom'
  return tool.name !== undefined || Object.keys(tool).every((name) => declarations.has(name))
}

/** True if the request uses tools that run at the provider. */
export const usesProviderTools = (body: JsonObject): boolean => {
  // Plain loops: this runs for every call, and agents send a hundred tools.
  for (const name of toolMembers) if (body[name] !== undefined && body[name] !== false) return true
  for (const tool of listOf(body.tools)) if (!runsAtClient(tool)) return true
  return false
}

/** Most tools that money is held for: further ones of a request run seldom in one answer. */
const mostTools = 16

/** Names that give the kind of an entry of Gemini's or Converse's tools. */
const namesOf = (tool: JsonObject): readonly string[] => {
  if (typeof tool.type === 'string') return [tool.type]
  return tool.name === undefined ? Object.keys(tool) : []
}

const soldAs = (name: string, tool: JsonObject): readonly string[] =>
  name === 'code_interpreter' ? [containerNamed(tool)] : offeredAs(name)

/**
 * The tools of receipts that calls of a request's provider tools are billed as, those that no table knows by the name that the request
 * gives them; undefined where none costs anything, as in nearly all requests.
 */
export const billedTools = (body: JsonObject): readonly string[] | undefined => {
  let found: Set<string> | undefined
  for (const tool of listOf(body.tools)) {
    if (!isObject(tool) || runsAtClient(tool)) continue
    for (const billed of namesOf(tool).flatMap((name) => soldAs(name, tool))) {
      found ??= new Set()
      if (found.size < mostTools) found.add(toolNamed(billed))
    }
  }
  return found === undefined ? undefined : [...found]
}
