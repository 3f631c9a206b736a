import type { ProviderConnection } from '@tollgate/contract'
import { AppError } from '../../../lib/app-error.ts'

/**
 * Providers of organisations (of the site: 0) are reached by HTTPS alone, because anybody who owns one chooses their addresses.
 * Throws AppError('provider_only_for_site').
 */
export const assertPublicAddress = (connection: ProviderConnection, organisationId: number): void => {
  const addresses =
    connection.kind === 'oidc'
      ? [connection.issuer]
      : [connection.sign_in_url, connection.logout_url].filter((address) => address !== '')
  if (organisationId !== 0 && addresses.some((address) => !address.startsWith('https:')))
    throw new AppError('provider_only_for_site')
}
