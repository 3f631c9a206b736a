import type { SigningTools } from '../provider.ts'
import { createAccessTokens } from './access-token.ts'
import type { VertexCredential } from './credential.ts'

const tokens = createAccessTokens()

/** Headers of a credential; the token of a service account is fetched where none is valid. Throws when the token server refuses. */
export const vertexAuthorization = async (
  credential: VertexCredential,
  tools: SigningTools,
): Promise<Record<string, string>> =>
  credential.kind === 'account'
    ? { authorization: `Bearer ${await tokens.of(credential, tools)}` }
    : { 'x-goog-api-key': credential.key }
