/** True if passkeys work here: browsers allow them on HTTPS and localhost only, and not under a bare IP address. */
export const browserHasPasskeys = (): boolean =>
  typeof window.PublicKeyCredential === 'function' && !/^[\d.]+$|^\[/.test(window.location.hostname)
