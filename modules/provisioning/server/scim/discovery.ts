import { type Attribute, groupResource, type ResourceSchema, userResource } from './attributes.ts'
import type { Resource } from './matching.ts'

/** Resources that one answer lists at most. */
export const mostResults = 200
/** Resources that an answer lists where the client names no number. */
export const usualResults = 100

const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** The body of an answer that lists resources. */
export const listBody = (resources: readonly Resource[], totalResults: number, startIndex: number): Resource => ({
  schemas: [listSchema],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

/** Features of this server. */
export const serviceProviderConfig = (base: string): Resource => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: mostResults },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token of the organisation, made on its page under Provisioning',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const resources: readonly ResourceSchema[] = [userResource, groupResource]

/** The kinds of resources. */
export const resourceTypes = (base: string): Resource[] =>
  resources.map(({ id, name, endpoint, description, extensions }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint,
    description,
    schema: id,
    schemaExtensions: extensions.map((extension) => ({ schema: extension.id, required: false })),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }))

const shownAttribute = ({ subAttributes, ...attribute }: Attribute): Resource => ({
  ...attribute,
  ...(subAttributes === undefined ? {} : { subAttributes: subAttributes.map(shownAttribute) }),
})

/** The schemas of the resources. */
export const schemas = (base: string): Resource[] =>
  resources
    .flatMap(({ extensions, ...schema }) => [
      schema,
      ...extensions.map((one) => ({ ...one, description: 'Enterprise user' })),
    ])
    .map(({ id, name, description, attributes }) => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
      id,
      name,
      description,
      attributes: attributes.map(shownAttribute),
      meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
    }))
