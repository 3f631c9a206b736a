/**
 * In the bundle these stand in place of the web's `Headers`, `Request` and `Response` where the console's calls are read and
 * answered. Node loads its own, with its whole fetch, when one of them is named first: a tenth of a start.
 */

const validName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const invalidValue = /[\0\r\n]|[^\0-\xff]/
const outerSpace = /^[\t\n\r ]+|[\t\n\r ]+$/g

type Pairs = Iterable<readonly [string, string]>

const lowerName = (name: string): string => {
  if (!validName.test(name)) throw new TypeError(`Headers: ${JSON.stringify(name)} is an invalid header name.`)
  return name.toLowerCase()
}

const plainValue = (value: unknown): string => {
  const text = String(value).replaceAll(outerSpace, '')
  if (invalidValue.test(text)) throw new TypeError(`Headers: ${JSON.stringify(text)} is an invalid header value.`)
  return text
}

const isPairs = (init: object): init is Pairs => Symbol.iterator in init

/** Headers of an answer: names without case, in order, one value each but for cookies. */
export class Headers {
  private readonly byName = new Map<string, string>()
  private readonly cookies: string[] = []

  constructor(init?: Pairs | Readonly<Record<string, string>> | null) {
    if (init === undefined || init === null) return
    for (const [name, value] of isPairs(init) ? init : Object.entries(init)) this.append(name, value)
  }

  append(name: string, value: string): void {
    this.add(lowerName(name), plainValue(value))
  }

  set(name: string, value: string): void {
    const [lower, text] = [lowerName(name), plainValue(value)]
    this.delete(lower)
    this.add(lower, text)
  }

  private add(lower: string, text: string): void {
    if (lower === 'set-cookie') {
      this.cookies.push(text)
      return
    }
    const before = this.byName.get(lower)
    this.byName.set(lower, before === undefined ? text : `${before}, ${text}`)
  }

  delete(name: string): void {
    const lower = lowerName(name)
    if (lower === 'set-cookie') this.cookies.length = 0
    else this.byName.delete(lower)
  }

  get(name: string): string | null {
    const lower = lowerName(name)
    if (lower === 'set-cookie') return this.cookies.length === 0 ? null : this.cookies.join(', ')
    return this.byName.get(lower) ?? null
  }

  has(name: string): boolean {
    return this.get(name) !== null
  }

  getSetCookie(): string[] {
    return [...this.cookies]
  }

  *entries(): Generator<[string, string]> {
    const names = [...this.byName.keys(), ...(this.cookies.length === 0 ? [] : ['set-cookie'])].sort()
    for (const name of names) {
      if (name === 'set-cookie') for (const cookie of this.cookies) yield [name, cookie]
      else yield [name, this.byName.get(name) ?? '']
    }
  }

  *keys(): Generator<string> {
    for (const [name] of this.entries()) yield name
  }

  *values(): Generator<string> {
    for (const [, value] of this.entries()) yield value
  }

  forEach(visit: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this.entries()) visit(value, name, this)
  }

  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries()
  }
}

/** Node's own classes, named when the first object is made. */
const onFirstObject = <Made extends abstract new (...given: never[]) => object>(
  make: (...given: never[]) => object,
): Made => new Proxy(class {}, { construct: (_, given: never[]) => make(...given) }) as unknown as Made

type Class = 'Request' | 'Response'
type Given<Name extends Class> = ConstructorParameters<(typeof globalThis)[Name]>

export const Request = onFirstObject<typeof globalThis.Request>(
  (...given: Given<'Request'>) => new globalThis.Request(...given),
)

export const Response = onFirstObject<typeof globalThis.Response>(
  (...given: Given<'Response'>) => new globalThis.Response(...given),
)
