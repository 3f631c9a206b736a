import { parseJson } from '@tollgate/contract/json'
import { badRequest, type ScimType } from './scim-error.ts'

/** `urn:…:User:name.familyName` in its parts; names as they were written. */
export interface AttributePath {
  /** Empty where the path names no schema. */
  readonly schema: string
  readonly name: string
  readonly sub: string | undefined
}

export const compareOperators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type CompareOperator = (typeof compareOperators)[number]
export type CompareValue = string | number | boolean | null

/** A filter of RFC 7644, section 3.4.2.2. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | {
      readonly kind: 'compare'
      readonly path: AttributePath
      readonly operator: CompareOperator
      readonly value: CompareValue
    }
  /** `emails[type eq "work"]`: some value of the attribute fits. */
  | { readonly kind: 'some'; readonly path: AttributePath; readonly of: Filter }

/** The target of a PATCH operation: an attribute, some of its values, a part of it or of them. */
export interface TargetPath {
  readonly path: AttributePath
  readonly of: Filter | undefined
}

const longestFilter = 4000
const mostComparisons = 100
const deepest = 20

type Token =
  | { readonly kind: 'mark'; readonly text: '(' | ')' | '[' | ']' }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'word'; readonly text: string }

const tokenPattern = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y

const marks: ReadonlySet<string> = new Set(['(', ')', '[', ']'])
const isMark = (text: string): text is '(' | ')' | '[' | ']' => marks.has(text)

const tokensOf = (text: string, fail: (detail: string) => Error): Token[] => {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < end) {
    const at = tokenPattern.lastIndex
    const match = tokenPattern.exec(text)
    if (match === null) throw fail(`It cannot be read from character ${at + 1} on.`)
    const [, mark, quoted, word] = match
    if (mark !== undefined && isMark(mark)) tokens.push({ kind: 'mark', text: mark })
    else if (quoted !== undefined) {
      const value = parseJson(quoted)
      if (typeof value !== 'string') throw fail(`The text at character ${at + 1} is no JSON string.`)
      tokens.push({ kind: 'text', value })
    } else if (word !== undefined) tokens.push({ kind: 'word', text: word })
  }
  return tokens
}

const namePattern = /^[A-Za-z$][\w$-]*$/

/** The schema is everything before the last colon: `2.0` in it holds a dot. Undefined for what is no path. */
export const attributePathOf = (text: string): AttributePath | undefined => {
  const colon = text.lastIndexOf(':')
  const schema = colon < 0 ? '' : text.slice(0, colon)
  if (schema !== '' && !/^urn:[\w.:-]+$/i.test(schema)) return undefined
  const [name = '', sub, ...rest] = text.slice(colon + 1).split('.')
  if (rest.length > 0 || !namePattern.test(name) || (sub !== undefined && !namePattern.test(sub))) return undefined
  return { schema, name, sub }
}

const literals: ReadonlyMap<string, CompareValue> = new Map<string, CompareValue>([
  ['true', true],
  ['false', false],
  ['null', null],
])

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const operators: ReadonlySet<string> = new Set(compareOperators)
const isOperator = (text: string): text is CompareOperator => operators.has(text)

/** Reads tokens from left to right; `not` binds closer than `and`, `and` closer than `or`. */
class FilterReader {
  readonly #tokens: readonly Token[]
  readonly #fail: (detail: string) => Error
  #at = 0
  #comparisons = 0

  constructor(text: string, what: 'filter' | 'path') {
    const scimType: ScimType = what === 'filter' ? 'invalidFilter' : 'invalidPath'
    this.#fail = (detail) => badRequest(scimType, `The ${what} is not valid. ${detail}`)
    if (text.length > longestFilter) throw this.#fail(`It has more than ${longestFilter} characters.`)
    this.#tokens = tokensOf(text, this.#fail)
  }

  whole(): Filter {
    const filter = this.#either(1)
    this.#assertEnd()
    return filter
  }

  target(): TargetPath {
    const path = this.#path()
    if (!this.#takes('[')) {
      this.#assertEnd()
      return { path, of: undefined }
    }
    if (path.sub !== undefined) throw this.#fail('Brackets follow an attribute, not a part of one.')
    const of = this.#either(1)
    this.#expect(']')
    const sub = this.#subAfterBracket()
    this.#assertEnd()
    return { path: { ...path, sub }, of }
  }

  #either(depth: number): Filter {
    const parts = [this.#all(depth)]
    while (this.#takesWord('or')) parts.push(this.#all(depth))
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'or', parts }
  }

  #all(depth: number): Filter {
    const parts = [this.#one(depth)]
    while (this.#takesWord('and')) parts.push(this.#one(depth))
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'and', parts }
  }

  #one(depth: number): Filter {
    if (depth > deepest) throw this.#fail(`It is nested more than ${deepest} levels deep.`)
    const after = this.#tokens[this.#at + 1]
    if (after?.kind === 'mark' && after.text === '(' && this.#takesWord('not')) {
      this.#at += 1
      return { kind: 'not', of: this.#bracketed(depth) }
    }
    if (this.#takes('(')) return this.#bracketed(depth)
    return this.#expression(depth)
  }

  /** Filter in round brackets, after the opening one. */
  #bracketed(depth: number): Filter {
    const filter = this.#either(depth + 1)
    this.#expect(')')
    return filter
  }

  #expression(depth: number): Filter {
    this.#comparisons += 1
    if (this.#comparisons > mostComparisons) throw this.#fail(`It has more than ${mostComparisons} comparisons.`)
    const path = this.#path()
    if (!this.#takes('[')) return this.#comparison(path)
    if (path.sub !== undefined) throw this.#fail('Brackets follow an attribute, not a part of one.')
    const of = this.#either(depth + 1)
    this.#expect(']')
    // `emails[type eq "work"].value eq "x"`, as Entra ID asks, is beyond the grammar and clear.
    const sub = this.#subAfterBracket()
    if (sub === undefined) return { kind: 'some', path, of }
    const part = this.#comparison({ schema: '', name: sub, sub: undefined })
    return { kind: 'some', path, of: { kind: 'and', parts: [of, part] } }
  }

  #comparison(path: AttributePath): Filter {
    const token = this.#next('an operator')
    const operator = token.kind === 'word' ? token.text.toLowerCase() : ''
    if (operator === 'pr') return { kind: 'present', path }
    if (!isOperator(operator)) throw this.#fail('An operator is missing or not known.')
    return { kind: 'compare', path, operator, value: this.#value() }
  }

  #value(): CompareValue {
    const token = this.#next('a value')
    if (token.kind === 'text') return token.value
    const word = token.kind === 'word' ? token.text : ''
    const literal = literals.get(word.toLowerCase())
    if (literal !== undefined) return literal
    if (!numberPattern.test(word))
      throw this.#fail('A value is neither a text in quotes, nor a number, true, false or null.')
    return Number(word)
  }

  #path(): AttributePath {
    const token = this.#next('an attribute')
    const path = token.kind === 'word' ? attributePathOf(token.text) : undefined
    if (path === undefined) throw this.#fail('The name of an attribute is missing or not valid.')
    return path
  }

  #subAfterBracket(): string | undefined {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'word' || !token.text.startsWith('.')) return undefined
    this.#at += 1
    const sub = token.text.slice(1)
    if (!namePattern.test(sub)) throw this.#fail('The name of a part is not valid.')
    return sub
  }

  #next(what: string): Token {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw this.#fail(`It ends where ${what} was expected.`)
    this.#at += 1
    return token
  }

  #takes(mark: '(' | '['): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'mark' || token.text !== mark) return false
    this.#at += 1
    return true
  }

  #takesWord(word: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'word' || token.text.toLowerCase() !== word) return false
    this.#at += 1
    return true
  }

  #expect(mark: ')' | ']'): void {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'mark' || token.text !== mark) throw this.#fail(`A "${mark}" is missing.`)
    this.#at += 1
  }

  #assertEnd(): void {
    if (this.#at < this.#tokens.length) throw this.#fail('Something follows that belongs to nothing.')
  }
}

/** Reads a filter. Throws ScimError `invalidFilter`, also above the bounds: 4000 characters, 100 comparisons, 20 levels. */
export const parseFilter = (text: string): Filter => new FilterReader(text, 'filter').whole()

/** Reads the path of a PATCH operation. Throws ScimError `invalidPath`. */
export const parseTarget = (text: string): TargetPath => new FilterReader(text, 'path').target()
