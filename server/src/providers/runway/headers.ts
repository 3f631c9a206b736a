/** The version of the API that every call names (docs.dev.runwayml.com/api-details/versioning). */
const version = '2024-11-06'

export const runwayHeaders = ({ key }: { readonly key: string }): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  'x-runway-version': version,
})
