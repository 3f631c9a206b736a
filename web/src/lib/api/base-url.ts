import { useStatus } from '../status.ts'

/** The site as others reach it, without a trailing slash: the address that the operator set, else the browser's. */
export const useSiteAddress = (): string => {
  const { server_address: address } = useStatus()
  return (address || window.location.origin).replace(/\/+$/, '')
}

/** Where clients send their calls. */
export const useBaseUrl = (): string => `${useSiteAddress()}/v1`
