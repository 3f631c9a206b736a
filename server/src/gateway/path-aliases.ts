import { decoded } from '../dialects/paths.ts'

/** A path in the form that the routes use, with the deployment that the client's own form of it named. */
export interface RoutedPath {
  readonly path: string
  /** Model that the client's path names, as a deployment; empty where it names none. */
  readonly deployment: string
}

/** Prefixes under which clients of other services call the same APIs. */
const prefixes: readonly (readonly [prefix: string, instead: string])[] = [
  // OpenAI's API at Google (ai.google.dev/gemini-api/docs/openai).
  ['/v1beta/openai/', '/v1/'],
  // Base path that several providers give clients of Anthropic's API.
  ['/anthropic/v1/', '/v1/'],
  // Volcengine's Ark (volcengine.com/docs/82379/1330310).
  ['/api/v3/', '/v1/'],
  // Azure's undated API (learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle).
  ['/openai/v1/', '/v1/'],
]

/** Azure's dated API names the deployment in the path, or has none (learn.microsoft.com/azure/ai-foundry/openai/reference). */
const deploymentPath = /^\/openai\/deployments\/([^/]+)\/(.+)$/
const withoutDeployment = /^\/openai\/(responses(?:\/.+)?|models(?:\/.+)?|realtime)$/

/**
 * Google's SDKs in the form of its cloud, with or without a project: the only form in which they draw with Imagen
 * (docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference).
 */
const cloudPath = /^\/v1(?:beta1?)?\/(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/google\/(models\/.+)$/

/** `path` has neither query nor trailing slash. Nearly all paths are no alias, which costs two comparisons. */
export const routedPath = (path: string): RoutedPath => {
  if (path.startsWith('/v1/') && !path.startsWith('/v1/p')) return { path, deployment: '' }
  const [, inCloud] = cloudPath.exec(path) ?? []
  if (inCloud !== undefined) return { path: `/v1beta/${inCloud}`, deployment: '' }
  // Google's SDKs put the path of a Live session behind the slash that ends the address.
  if (path.startsWith('//ws/')) return { path: path.slice(1), deployment: '' }
  for (const [prefix, instead] of prefixes)
    if (path.startsWith(prefix)) return { path: instead + path.slice(prefix.length), deployment: '' }
  const [, deployment, call] = deploymentPath.exec(path) ?? []
  if (deployment !== undefined && call !== undefined) return { path: `/v1/${call}`, deployment: decoded(deployment) }
  const [, plain] = withoutDeployment.exec(path) ?? []
  return plain === undefined ? { path, deployment: '' } : { path: `/v1/${plain}`, deployment: '' }
}

/** True if a path belongs to the relay because it is another form of one of its paths. */
export const isAlias = (path: string): boolean => /^\/(openai\/|anthropic\/|api\/v3\/|\/ws\/google\.)/.test(path)

/** A query without Azure's version, which other upstreams need not know; a session's deployment is the model. */
export const routedQuery = (query: string): string => {
  if (!query.includes('api-version=') && !query.includes('deployment=')) return query
  const parameters = new URLSearchParams(query)
  parameters.delete('api-version')
  const deployment = parameters.get('deployment')
  if (deployment !== null && !parameters.has('model')) parameters.set('model', deployment)
  parameters.delete('deployment')
  return parameters.size === 0 ? '' : `?${parameters}`
}
