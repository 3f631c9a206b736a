import { z } from 'zod'

/** A text of the library's form of XML: bare, or beside attributes. */
const textNode = z.union([z.string(), z.looseObject({ _: z.string() }).transform((node) => node._)])

const confirmation = z.looseObject({
  $: z.looseObject({ Method: z.string() }),
  SubjectConfirmationData: z
    .tuple([
      z.looseObject({
        $: z.looseObject({
          Recipient: z.string(),
          NotOnOrAfter: z.string(),
          NotBefore: z.string().optional(),
          InResponseTo: z.string().optional(),
        }),
      }),
    ])
    .optional(),
})

const attribute = z.looseObject({
  $: z.looseObject({ Name: z.string(), FriendlyName: z.string().optional() }),
  AttributeValue: z.array(z.unknown()).default([]),
})

/** An empty element is an empty text. */
const statement = z.union([
  z.looseObject({ Attribute: z.array(attribute).default([]) }),
  z.string().transform(() => ({ Attribute: [] })),
])

const nameAttributes = z.looseObject({
  Format: z.string().optional(),
  NameQualifier: z.string().optional(),
  SPNameQualifier: z.string().optional(),
})

/** When and how the person signed in at the provider. */
const signedInThere = z.looseObject({ $: z.looseObject({ SessionIndex: z.string().max(1000).optional() }).optional() })

/** An assertion whose signature was checked, as far as it is read. */
export const samlAssertion = z.looseObject({
  Assertion: z.looseObject({
    $: z.looseObject({ ID: z.string().min(1).max(500) }),
    Issuer: z.tuple([textNode]),
    Subject: z.tuple([
      z.looseObject({
        NameID: z.tuple([
          z.union([
            z.string().transform((value) => ({ _: value, $: undefined })),
            z.looseObject({ _: z.string(), $: nameAttributes.optional() }),
          ]),
        ]),
        SubjectConfirmation: z.array(confirmation).min(1),
      }),
    ]),
    Conditions: z.tuple([z.looseObject({ AudienceRestriction: z.array(z.unknown()).min(1) })]),
    AttributeStatement: z.array(statement).default([]),
    AuthnStatement: z.array(z.union([signedInThere, z.string()])).default([]),
  }),
})
export type SamlAssertion = z.output<typeof samlAssertion>['Assertion']

/** The name of somebody at a provider, as a request to sign out repeats it. */
export interface NameId {
  readonly value: string
  readonly format?: string | undefined
  readonly qualifier?: string | undefined
  readonly ownQualifier?: string | undefined
}

const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

interface Expected {
  readonly issuer: string
  /** The address to which the answer was sent. */
  readonly recipient: string
  /** Id of the request that it answers; undefined for none. */
  readonly request: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
  readonly skewMs: number
}

/** Undefined unless it is for us, now, and answers our request; else the moment in milliseconds from which it does not count. */
export const confirmedUntil = (assertion: SamlAssertion, expected: Expected): number | undefined => {
  if (assertion.Issuer[0] !== expected.issuer) return undefined
  const ends = assertion.Subject[0].SubjectConfirmation.flatMap(({ $: { Method }, SubjectConfirmationData }) => {
    const data = SubjectConfirmationData?.[0].$
    if (Method !== bearer || data === undefined || data.Recipient !== expected.recipient) return []
    if (data.InResponseTo !== expected.request) return []
    const end = Date.parse(data.NotOnOrAfter)
    const begin = data.NotBefore === undefined ? 0 : Date.parse(data.NotBefore)
    return expected.now - expected.skewMs < end && expected.now + expected.skewMs >= begin ? [end] : []
  })
  return ends.length === 0 ? undefined : Math.max(...ends)
}

/** The name of the person; undefined for one that is another each time. */
export const nameIdOf = ({ Subject: [{ NameID }] }: SamlAssertion): NameId | undefined => {
  const [{ _: value, $: more }] = NameID
  if (more?.Format === transient || value.trim() === '') return undefined
  const { Format: format, NameQualifier: qualifier, SPNameQualifier: ownQualifier } = more ?? {}
  return { value: value.trim(), format, qualifier, ownQualifier }
}

/** Provider's name of its session with the person; empty if it has none. */
export const sessionIndexOf = ({ AuthnStatement: [first] }: SamlAssertion): string =>
  typeof first === 'object' ? (first.$?.SessionIndex ?? '') : ''

/** Values of an attribute by its name or the name for people. */
export const attributeOf = ({ AttributeStatement }: SamlAssertion, name: string): string[] =>
  name === ''
    ? []
    : AttributeStatement.flatMap(({ Attribute }) => Attribute)
        .filter(({ $: { Name, FriendlyName } }) => Name === name || FriendlyName === name)
        .flatMap(({ AttributeValue }) => AttributeValue)
        .flatMap((value) => {
          const read = textNode.safeParse(value)
          return read.success ? [read.data] : []
        })
