/** Kinds of a refusal with status 400 or 409, RFC 7644 table 9. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive'

const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** A refusal as SCIM clients read it. `detail` is English and holds nothing of other organisations. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined
  /** Seconds after which the same call may pass. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    detail: string,
    more: { scimType?: ScimType; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'ScimError'
    this.status = status
    this.scimType = more.scimType
    this.retryAfter = more.retryAfter
  }
}

/** A refusal with status 400. */
export const badRequest = (scimType: ScimType, detail: string): ScimError => new ScimError(400, detail, { scimType })

export const notFound = (what: string): ScimError => new ScimError(404, `${what} does not exist.`)

/** The body of a refusal. */
export const errorBody = ({ status, scimType, message }: ScimError): object => ({
  schemas: [errorSchema],
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail: message,
})
