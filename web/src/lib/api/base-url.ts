import { useStatus } from '../status.ts'
import { ownAddress } from '../url/page-paths.ts'

/**
 * The base address for API clients, without a trailing slash and without `/v1`: the operator's setting, else the page's
 * own.
 */
export const siteAddress = (serverAddress: string, origin: string): string =>
  (serverAddress || origin).replace(/\/+$/, '').replace(/\/v1$/, '')

/** The site as others reach it. */
export const useSiteAddress = (): string => siteAddress(useStatus().server_address, ownAddress())

/** Base address of clients' calls. */
export const useBaseUrl = (): string => `${useSiteAddress()}/v1`
