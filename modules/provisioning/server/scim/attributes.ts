import type { AttributePath } from './filter.ts'

export type AttributeType = 'string' | 'boolean' | 'dateTime' | 'reference' | 'binary' | 'complex'

/** An attribute as RFC 7643, section 7 describes it. */
export interface Attribute {
  readonly name: string
  readonly type: AttributeType
  readonly multiValued: boolean
  readonly description: string
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable'
  readonly returned: 'always' | 'default'
  readonly uniqueness: 'none' | 'server'
  readonly subAttributes?: readonly Attribute[]
}

type More = Partial<Omit<Attribute, 'name' | 'description'>>

const attribute = (name: string, description: string, more: More = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

const complex = (name: string, description: string, subAttributes: readonly Attribute[], more: More = {}): Attribute =>
  attribute(name, description, { type: 'complex', subAttributes, ...more })

/** A list of values with a kind, of which one may be the main one. */
const values = (name: string, description: string, value: More = {}): Attribute =>
  complex(
    name,
    description,
    [
      attribute('value', 'The value itself', value),
      attribute('display', 'The value for people'),
      attribute('type', 'The kind of value, e.g. work'),
      attribute('primary', 'True for the main value', { type: 'boolean' }),
    ],
    { multiValued: true },
  )

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'

const readOnly = { mutability: 'readOnly' } as const

/** Attributes of every resource. */
const common: readonly Attribute[] = [
  attribute('schemas', 'The schemas of the resource', {
    multiValued: true,
    returned: 'always',
    caseExact: true,
    ...readOnly,
  }),
  attribute('id', 'Number of the resource', { caseExact: true, returned: 'always', uniqueness: 'server', ...readOnly }),
  attribute('externalId', 'Number at the identity provider', { caseExact: true }),
  complex(
    'meta',
    'About the resource',
    [
      attribute('resourceType', 'User or Group', { caseExact: true, ...readOnly }),
      attribute('created', 'When it was made', { type: 'dateTime', ...readOnly }),
      attribute('lastModified', 'When it changed last', { type: 'dateTime', ...readOnly }),
      attribute('location', 'Its address', { type: 'reference', caseExact: true, ...readOnly }),
      attribute('version', 'Its ETag', { caseExact: true, ...readOnly }),
    ],
    readOnly,
  ),
]

const userAttributes: readonly Attribute[] = [
  attribute('userName', 'Name at the identity provider, mostly an e-mail address', {
    required: true,
    uniqueness: 'server',
  }),
  complex('name', 'Parts of the name', [
    attribute('formatted', 'The whole name'),
    attribute('familyName', 'Family name'),
    attribute('givenName', 'Given name'),
    attribute('middleName', 'Middle name'),
    attribute('honorificPrefix', 'Title before the name'),
    attribute('honorificSuffix', 'Addition after the name'),
  ]),
  attribute('displayName', 'Name that others see'),
  attribute('nickName', 'Casual name'),
  attribute('profileUrl', 'Address of a profile', { type: 'reference', caseExact: true }),
  attribute('title', 'Job title'),
  attribute('userType', 'Kind of person, e.g. Employee'),
  attribute('preferredLanguage', 'Language'),
  attribute('locale', 'Locale'),
  attribute('timezone', 'Time zone'),
  attribute('active', 'False for a suspended member', { type: 'boolean' }),
  values('emails', 'E-mail addresses'),
  values('phoneNumbers', 'Telephone numbers'),
  values('ims', 'Addresses of messengers'),
  values('photos', 'Addresses of pictures', { type: 'reference', caseExact: true }),
  complex(
    'addresses',
    'Postal addresses',
    [
      attribute('formatted', 'The whole address'),
      attribute('streetAddress', 'Street and number'),
      attribute('locality', 'Town'),
      attribute('region', 'State or region'),
      attribute('postalCode', 'Postal code'),
      attribute('country', 'Country'),
      attribute('type', 'The kind of address, e.g. work'),
      attribute('primary', 'True for the main address', { type: 'boolean' }),
    ],
    { multiValued: true },
  ),
  complex(
    'groups',
    'Groups of the person',
    [
      attribute('value', 'Number of the group', { caseExact: true, ...readOnly }),
      attribute('$ref', 'Address of the group', { type: 'reference', caseExact: true, ...readOnly }),
      attribute('display', 'Name of the group', readOnly),
      attribute('type', 'Always direct', readOnly),
    ],
    { multiValued: true, ...readOnly },
  ),
  values('entitlements', 'Entitlements at the identity provider'),
  values('roles', 'Roles at the identity provider; groups decide what a member may do here'),
  values('x509Certificates', 'Certificates', { type: 'binary', caseExact: true }),
]

const enterpriseAttributes: readonly Attribute[] = [
  attribute('employeeNumber', 'Number of the employee'),
  attribute('costCenter', 'Cost centre'),
  attribute('organization', 'Organisation'),
  attribute('division', 'Division'),
  attribute('department', 'Department'),
  complex('manager', 'Whom the person reports to', [
    attribute('value', 'Number of the manager', { caseExact: true }),
    attribute('$ref', 'Address of the manager', { type: 'reference', caseExact: true }),
    attribute('displayName', 'Name of the manager'),
  ]),
]

const groupAttributes: readonly Attribute[] = [
  attribute('displayName', 'Name of the group', { required: true, uniqueness: 'server' }),
  complex(
    'members',
    'Members of the group',
    [
      attribute('value', 'Number of the user', { caseExact: true, mutability: 'immutable' }),
      attribute('$ref', 'Address of the user', { type: 'reference', caseExact: true, ...readOnly }),
      attribute('display', 'Name of the user', readOnly),
      attribute('type', 'Always User', { mutability: 'immutable' }),
    ],
    { multiValued: true },
  ),
]

/** The attributes of a kind of resource, and where they stand in it. */
export interface ResourceSchema {
  readonly id: string
  readonly name: 'User' | 'Group'
  readonly endpoint: '/Users' | '/Groups'
  readonly description: string
  readonly attributes: readonly Attribute[]
  /** Schemas whose attributes stand below a member of that name. */
  readonly extensions: readonly {
    readonly id: string
    readonly name: string
    readonly attributes: readonly Attribute[]
  }[]
}

export const userResource: ResourceSchema = {
  id: userSchema,
  name: 'User',
  endpoint: '/Users',
  description: 'A member of the organisation',
  attributes: userAttributes,
  extensions: [{ id: enterpriseSchema, name: 'EnterpriseUser', attributes: enterpriseAttributes }],
}

export const groupResource: ResourceSchema = {
  id: groupSchema,
  name: 'Group',
  endpoint: '/Groups',
  description: 'A group of the identity provider, which may give its members a place in a team',
  attributes: groupAttributes,
  extensions: [],
}

/** Looks an attribute up by its name, whatever the case. */
export const attributeNamed = (attributes: readonly Attribute[], name: string): Attribute | undefined => {
  const wanted = name.toLowerCase()
  return attributes.find((one) => one.name.toLowerCase() === wanted)
}

/** Position of an attribute that a path names. */
export interface FoundAttribute {
  /** The member of the resource that holds it; undefined where it stands in the resource itself. */
  readonly extension: string | undefined
  readonly attribute: Attribute
  /** The part that the path names. */
  readonly sub: Attribute | undefined
}

/** The attribute of a path; undefined for one that the resource does not have. */
export const findAttribute = (schema: ResourceSchema, path: AttributePath): FoundAttribute | undefined => {
  const wanted = path.schema.toLowerCase()
  const extension = schema.extensions.find(({ id }) => id.toLowerCase() === wanted)
  if (wanted !== '' && wanted !== schema.id.toLowerCase() && extension === undefined) return undefined
  const found = attributeNamed(extension?.attributes ?? [...common, ...schema.attributes], path.name)
  if (found === undefined) return undefined
  const sub = path.sub === undefined ? undefined : attributeNamed(found.subAttributes ?? [], path.sub)
  if (path.sub !== undefined && sub === undefined) return undefined
  return { extension: extension?.id, attribute: found, sub }
}

export const extensionNamed = (
  schema: ResourceSchema,
  name: string,
): ResourceSchema['extensions'][number] | undefined =>
  schema.extensions.find(({ id }) => id.toLowerCase() === name.toLowerCase())
