import { ownMember } from '@tollgate/contract/own-member'
import {
  looksLikeModels,
  modelOfTool,
  plainMembers,
  plainPlugins,
  plainServerTools,
  plainToolMembers,
  schemaMembers,
  settingMembers,
} from '../../billing/declared/request-members.ts'
import { isObject, type JsonObject, listOf, parsedJson } from '../../dialects/conversation/json.ts'
import { memoize } from '../../lib/memoize.ts'
import { type DeclaredNode, declaredBelow, declaredTree } from './declared-tree.ts'
import { foldedName, lowered } from './member-names.ts'
import { modelNamesIn } from './model-names-in.ts'

/** A member of a request by which its sender chooses a model, or leaves the choice to the provider. */
export interface NamedMember {
  /** As the client knows it, such as `tools.model`. */
  readonly path: string
  /** The top-level member that it stands in. */
  readonly top: string
  /** Its place among the tools; undefined for other members. */
  readonly tool: number | undefined
  /** The models that it names. */
  readonly models: readonly string[]
  /** Its choice: a route to an unknown model, or a host for the named models; undefined for neither. */
  readonly chooses: 'route' | 'host' | undefined
  /** True where a hosted tool names no model, and `models` is the one that its provider takes then. */
  readonly implied: boolean
}

export interface NamedIn {
  /** Those that name or choose something. */
  readonly members: readonly NamedMember[]
  /** A name that differs from one that decides about the call by its case alone; some servers read it as that one. */
  readonly otherCase: string | undefined
}

/** Names that must not stand in another case: what the gateway reads of them decides about the call and its price. */
const decisiveNames: ReadonlyMap<string, string> = new Map(
  [
    ...['model', 'messages', 'input', 'contents', 'prompt', 'instructions', 'system', 'tools', 'stream', 'store'],
    ...['previous_response_id', 'conversation', 'cachedContent', 'cached_content'],
    ...['background', 'deferred', 'n', 'best_of', 'service_tier', 'max_tokens', 'max_completion_tokens'],
    ...['max_output_tokens', 'generationConfig', 'generation_config', 'speed', 'inference_geo', 'serviceTier'],
  ].map((name) => [lowered(name), name]),
)

/** True for a tool in which nothing but a function and its schema stands. */
const isPlainTool = (tool: unknown): boolean => {
  if (!isObject(tool)) return true
  for (const name in tool) {
    if (plainToolMembers.has(name)) continue
    if (name === 'type' ? isPlainType(tool.type) : name === 'parameters' && isSchema(tool.parameters)) continue
    return false
  }
  return true
}

const isPlainType = (type: unknown): boolean =>
  typeof type !== 'string' || !(type.includes(':') || modelOfTool.has(type))

const isSchema = (value: unknown): boolean => {
  if (isObject(value)) for (const name in value) if (!schemaMembers.has(name)) return false
  return true
}

/** Settings of Gemini that are looked into where a name in them may choose a model. */
const isPlainConfig = (config: unknown): boolean => {
  if (isObject(config)) for (const name in config) if (looksLikeModels.test(lowered(name))) return false
  return true
}

/** Schemas, in which clients choose the names. */
const schemas: ReadonlySet<string> = new Set(['schema', 'format', 'json_schema'])
const deepestSetting = 6
/** Objects and lists in a body that is written as a text: what holds more is not looked through. */
const mostNested = 200

/** True where no name in settings of a call looks as if it named a model. */
const areSettingsPlain = (value: unknown, depth = 0): boolean => {
  if (typeof value !== 'object' || value === null || depth > deepestSetting) return true
  if (Array.isArray(value)) return (value as unknown[]).every((each) => areSettingsPlain(each, depth + 1))
  for (const [name, inner] of Object.entries(value)) {
    if (schemas.has(name)) continue
    if (looksLikeModels.test(lowered(name)) || !areSettingsPlain(inner, depth + 1)) return false
  }
  return true
}

/** True for a member that names and chooses nothing. */
const isPlain = (name: string, body: JsonObject): boolean => {
  if (plainMembers.has(name)) return !settingMembers.has(name) || areSettingsPlain(ownMember(body, name))
  if (name === 'tools') return Array.isArray(body.tools) ? body.tools.every(isPlainTool) : !isObject(body.tools)
  return (name === 'generationConfig' || name === 'generation_config') && isPlainConfig(ownMember(body, name))
}

/** True for a value without effect: a switch that is off, or an empty one. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

/** Values that let the provider choose the models of such a member. */
const chosenByProvider: ReadonlySet<unknown> = new Set([true, 'default'])

/** Objects of a value: itself, or those of a list. */
const objectsIn = (value: unknown): readonly JsonObject[] =>
  isObject(value) ? [value] : listOf(value).filter(isObject)

class Finder {
  readonly members: NamedMember[] = []
  private readonly body: JsonObject
  private top = ''
  private tool: number | undefined

  constructor(body: JsonObject) {
    this.body = body
  }

  /** A body, or one that stands in it. */
  readBody(body: JsonObject, prefix: string): void {
    for (const [name, value] of Object.entries(body)) {
      if (isPlain(name, body)) continue
      if (prefix === '') this.top = name
      const path = prefix + name
      const node = declaredTree.below.get(foldedName(name))
      if (lowered(name) === 'tools') this.readTools(value, path, prefix === '')
      else if (lowered(name) === 'plugins') this.readPlugins(value, path)
      else if (node !== undefined) this.read(node, value, path)
      else if (settingMembers.has(name)) this.readSettingsOf(value, path)
      else if (looksLikeModels.test(lowered(name)) && (prefix !== '' || lowered(name) !== 'model'))
        this.names(value, path)
    }
    // The model of a body within a body is no plain member: the gateway did not read it.
    if (prefix !== '' && Object.hasOwn(body, 'model')) this.names(body.model, `${prefix}model`)
  }

  private read(node: DeclaredNode, value: unknown, path: string): void {
    if (node.meaning === 'body') {
      if (typeof value === 'string' && (value.match(/[[{]/g)?.length ?? 0) > mostNested) {
        this.routes(value, path)
        return
      }
      const bodies = typeof value === 'string' ? parsedJson(value) : value
      for (const inner of objectsIn(bodies)) this.readBody(inner, `${path}.`)
      return
    }
    const isDeep = node.below.size > 0 || node.any !== undefined
    if (isDeep && typeof value === 'object' && value !== null) {
      const found = this.members.length
      for (const inner of objectsIn(value)) this.readBelow(node, inner, path)
      // Something else than the objects that are documented, or nothing that is known.
      if (this.members.length > found || objectsIn(value).length > 0) return
    }
    if (node.meaning === 'names models') this.names(value, path)
    else if (node.meaning === 'names a preset') this.preset(value, path)
    else if (node.meaning === 'chooses a host') this.routes(value, path, 'host')
    else if (node.meaning === 'chooses a route' && !this.isFallbackRoute(path, value)) this.routes(value, path)
  }

  /** Settings of the call in which an undeclared name is allowed. */
  private readSettingsOf(value: unknown, path: string, depth = 0): void {
    if (depth > deepestSetting) return
    for (const each of listOf(value)) this.readSettingsOf(each, path, depth + 1)
    if (!isObject(value)) return
    for (const [name, inner] of Object.entries(value)) {
      if (schemas.has(name)) continue
      if (looksLikeModels.test(lowered(name))) this.names(inner, `${path}.${name}`)
      else this.readSettingsOf(inner, `${path}.${name}`, depth + 1)
    }
  }

  private readBelow(node: DeclaredNode, object: JsonObject, path: string): void {
    for (const [name, value] of Object.entries(object)) {
      const inner = declaredBelow(node, name)
      if (inner !== undefined) this.read(inner, value, `${path}.${name}`)
      else if (looksLikeModels.test(lowered(name))) this.names(value, `${path}.${name}`)
    }
  }

  /** OpenRouter falls back on `models` then, which are checked; without them it chooses itself. */
  private isFallbackRoute(path: string, value: unknown): boolean {
    return path === 'route' && value === 'fallback' && listOf(this.body.models).length > 0
  }

  private readTools(value: unknown, path: string, isTop: boolean): void {
    for (const [index, tool] of objectsIn(value).entries()) {
      if (isPlainTool(tool)) continue
      if (isTop) this.tool = isObject(value) ? 0 : listOf(value).indexOf(tool, index)
      this.readTool(tool, path)
    }
    if (isTop) this.tool = undefined
  }

  private readTool(tool: JsonObject, path: string): void {
    const found = this.members.length
    const node = declaredTree.below.get('tools')
    const { type } = tool
    for (const [name, value] of Object.entries(tool)) {
      if (plainToolMembers.has(name) || name === 'type') continue
      const inner = declaredBelow(node, name)
      if (lowered(name) === 'tools') this.readTools(value, `${path}.${name}`, false)
      else if (lowered(name) === 'parameters') {
        if (isServerTool(type)) this.readSettings(inner, value, `${path}.${name}`)
      } else if (inner !== undefined) this.read(inner, value, `${path}.${name}`)
      else if (looksLikeModels.test(lowered(name))) this.names(value, `${path}.${name}`)
    }
    const named = this.members.slice(found).some(({ models }) => models.length > 0)
    if (typeof type !== 'string') return
    if (type.startsWith('openrouter:') && !plainServerTools.has(type) && (!named || /fusion/.test(type)))
      this.add({ path: `${path}.type`, chooses: 'route' })
    const implied = modelOfTool.get(type)
    if (implied !== undefined && !named) this.add({ path: `${path}.${type}`, models: [implied], implied: true })
  }

  /** Settings of a server tool, which may have tools of its own. */
  private readSettings(node: DeclaredNode | undefined, value: unknown, path: string): void {
    for (const settings of objectsIn(value))
      for (const [name, setting] of Object.entries(settings)) {
        if (schemaMembers.has(name)) continue
        const inner = node?.below.get(foldedName(name))
        if (lowered(name) === 'tools') this.readTools(setting, `${path}.${name}`, false)
        else if (inner !== undefined) this.read(inner, setting, `${path}.${name}`)
        else if (looksLikeModels.test(lowered(name))) this.names(setting, `${path}.${name}`)
      }
  }

  private readPlugins(value: unknown, path: string): void {
    const node = declaredTree.below.get('plugins')
    const plugins = objectsIn(value)
    if (plugins.length === 0) this.routes(value, path)
    for (const plugin of plugins) {
      if (node !== undefined) this.readBelow(node, plugin, path)
      if (!plainPlugins.has(plugin.id)) this.routes(plugin.id ?? true, `${path}.id`)
    }
  }

  private names(value: unknown, path: string): void {
    if (isNothing(value)) return
    const models = modelNamesIn(value)
    if (chosenByProvider.has(value)) this.add({ path, chooses: 'route' })
    else if (models.length > 0) this.add({ path, models })
  }

  private preset(value: unknown, path: string): void {
    if (typeof value !== 'string' || value === '') this.routes(value, path)
    else this.add({ path, models: [value.startsWith('@preset/') ? value : `@preset/${value}`] })
  }

  private routes(value: unknown, path: string, chooses: NamedMember['chooses'] = 'route'): void {
    if (!isNothing(value)) this.add({ path, chooses })
  }

  private add(member: Partial<NamedMember> & Pick<NamedMember, 'path'>): void {
    const { top, tool } = this
    this.members.push({ top, tool, models: [], chooses: undefined, implied: false, ...member })
  }
}

/** Of functions the parameters are a schema, in which names are those of the client. */
const isServerTool = (type: unknown): boolean => typeof type === 'string' && type !== 'function' && type !== 'custom'

const otherCaseIn = (body: JsonObject): string | undefined =>
  Object.keys(body).find((name) => {
    const meant = decisiveNames.get(lowered(name))
    return meant !== undefined && meant !== name && !plainMembers.has(name)
  })

/**
 * The models and routes that a body names beside its `model`; undefined where no member of it could, at the cost of one look-up per
 * name. Otherwise a member may be repeated: then it is unknown which one its provider reads.
 */
export const namedIn = (body: JsonObject): NamedIn | undefined => {
  for (const name in body) {
    if (isPlain(name, body) || !(settingMembers.has(name) || mayName(name))) continue
    const finder = new Finder(body)
    finder.readBody(body, '')
    return { members: finder.members, otherCase: otherCaseIn(body) }
  }
  return undefined
}

/** True where a member of this name has to be looked at. */
const mayName = (name: string): boolean => (name.length > longestName ? mayNameNow(name) : mayNameOnce(name))

/** UTF-16 units: no declared name is longer, and longer ones are not remembered. */
const longestName = 60

const mayNameNow = (name: string): boolean =>
  declaredTree.below.has(foldedName(name)) || looksLikeModels.test(lowered(name)) || decisiveNames.has(lowered(name))

const mayNameOnce = memoize(1000, mayNameNow)
