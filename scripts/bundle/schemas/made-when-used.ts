type Member = string | symbol

/** Member by which a proxy gives its schema. A symbol, so that no name of zod's is hidden. */
const real = Symbol('real')

/**
 * Methods that give another schema. Everything else is asked of the schema itself, which makes it; so a method that is missing
 * here costs time and nothing else.
 */
const builders: ReadonlySet<Member> = new Set([
  ...['optional', 'nullable', 'nullish', 'default', 'prefault', 'catch', 'readonly', 'array', 'or', 'and', 'pipe'],
  ...['refine', 'superRefine', 'transform', 'min', 'max', 'length', 'regex', 'startsWith', 'endsWith', 'includes'],
  ...['trim', 'toLowerCase', 'toUpperCase', 'int', 'positive', 'nonnegative', 'negative', 'gt', 'gte', 'lt', 'lte'],
  ...['nonempty', 'extend', 'partial', 'pick', 'omit', 'strict', 'loose', 'catchall'],
])

type Target = { make: (() => object) | undefined; made: object | undefined }

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A value with the schemas themselves in place of what stands for them, in lists and objects, too. Getters are left alone. */
export const withRealSchemas = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const schema: unknown = Reflect.get(value, real)
  if (schema !== undefined) return schema
  if (Array.isArray(value)) return value.map(withRealSchemas)
  if (!isPlain(value)) return value
  const members = Object.entries(Object.getOwnPropertyDescriptors(value))
  if (members.some(([, { get }]) => get !== undefined)) return value
  return Object.fromEntries(members.map(([name, { value: member }]) => [name, withRealSchemas(member)]))
}

const schemaOf = (target: Target): object => {
  if (target.made === undefined) {
    target.made = target.make?.() ?? {}
    target.make = undefined
  }
  return target.made
}

const handler: ProxyHandler<Target> = {
  get(target, name) {
    if (name === real) return schemaOf(target)
    if (target.made === undefined && builders.has(name)) {
      return (...given: unknown[]) => whenUsed(() => called(schemaOf(target), name, given))
    }
    const schema = schemaOf(target)
    const value: unknown = Reflect.get(schema, name)
    return typeof value === 'function' && name !== 'constructor' ? value.bind(schema) : value
  },
  set: (target, name, value) => Reflect.set(schemaOf(target), name, value),
  // The mark by which zod recognises a schema.
  has: (target, name) => name === '_zod' || Reflect.has(schemaOf(target), name),
  ownKeys: (target) => Reflect.ownKeys(schemaOf(target)),
  getPrototypeOf: (target) => Reflect.getPrototypeOf(schemaOf(target)),
}

const called = (owner: object, name: Member, given: readonly unknown[]): object => {
  const method: unknown = Reflect.get(owner, name)
  if (typeof method !== 'function') throw new TypeError(`${String(name)} is no method of this schema`)
  return Reflect.apply(method, owner, given.map(withRealSchemas)) as object
}

const whenUsed = (make: () => object): object => new Proxy<Target>({ make, made: undefined }, handler)

type Factory = (...given: never[]) => object

/** The same factory, whose schemas are made when something is asked of them. */
export const madeWhenUsed = <Made extends Factory>(factory: Made): Made => {
  const later = (...given: unknown[]): object =>
    whenUsed(() => Reflect.apply(factory, undefined, given.map(withRealSchemas)) as object)
  // It has the type of the factory: a proxy of a schema behaves as the schema.
  return later as unknown as Made
}
