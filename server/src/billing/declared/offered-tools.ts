import { ownMember } from '@tollgate/contract/own-member'

/** A tool whose calls cost nothing beside tokens, or that the client runs. */
const free: readonly string[] = []

/** By the answer or by the query: a model has a price for one of them. */
const searches: readonly string[] = ['google_search', 'google_search_query']

/**
 * Tools that requests offer, by their type without its date, or by the member that Gemini and Converse name them with → the tools of a
 * receipt that their calls are billed as. One that is not here may cost anything.
 */
const offeredTools: Readonly<Record<string, readonly string[]>> = {
  // Of the client, and what holds tools.
  function: free,
  custom: free,
  namespace: free,
  functionDeclarations: free,
  function_declarations: free,
  toolSpec: free,
  cachePoint: free,
  computer: free,
  computer_use: free,
  computer_use_preview: free,
  computerUse: free,
  local_shell: free,
  shell: free,
  apply_patch: free,
  bash: free,
  text_editor: free,
  memory: free,
  // Of the provider, billed by tokens or not at all.
  mcp: free,
  mcp_toolset: free,
  mcpServers: free,
  tool_search: free,
  tool_search_tool: free,
  tool_search_tool_regex: free,
  tool_search_tool_bm25: free,
  image_generation: free,
  advisor: free,
  web_fetch: free,
  code_execution: free,
  codeExecution: free,
  urlContext: free,
  url_context: free,
  fileSearch: free,
  file_search_store: free,
  // By the call.
  web_search: ['web_search'],
  web_search_preview: ['web_search_preview'],
  file_search: ['file_search'],
  collections_search: ['file_search'],
  code_interpreter: ['code_interpreter'],
  x_search: ['x_search'],
  attachment_search: ['attachment_search'],
  document_search: ['attachment_search'],
  googleSearch: searches,
  google_search: searches,
  googleSearchRetrieval: searches,
  google_search_retrieval: searches,
  enterpriseWebSearch: searches,
  googleMaps: ['google_maps'],
  google_maps: ['google_maps'],
}

/** `web_search_20250305`, `web_search_preview_2025_03_11` */
const dated = /_\d{4}_?\d{2}_?\d{2}$/

/** The tools of receipts that calls of an offered tool are billed as; none for one that costs nothing beside tokens. */
export const offeredAs = (type: string): readonly string[] => {
  const name = type.replace(dated, '')
  return ownMember(offeredTools, name) ?? [name]
}
