import { isObject, type JsonObject, listOf } from '../conversation/json.ts'

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
