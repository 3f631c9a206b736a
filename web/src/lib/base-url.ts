import { useStatus } from './status.ts'

/** Where clients send their calls: the address that the operator set, else the one in the browser's bar. */
export const useBaseUrl = (): string => {
  const { server_address: address } = useStatus()
  return `${(address || window.location.origin).replace(/\/+$/, '')}/v1`
}
