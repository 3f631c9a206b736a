/**
 * The base path of a site is the path below which browsers and clients reach it, such as `/gw`. It begins with a slash and has none at
 * its end; it is empty for a site at the root of its host.
 */

/** A path or an address of this site as outsiders reach it. Addresses of other sites stay. */
export const belowBasePath = (basePath: string, target: string): string =>
  basePath !== '' && /^\/(?![/\\])/.test(target) ? basePath + target : target

/** The site's address with its base path, where the address does not end with it already. An empty address stays empty. */
export const withBasePath = (basePath: string, address: string): string =>
  address === '' || address.replace(/\/+$/, '').endsWith(basePath) ? address : address.replace(/\/+$/, '') + basePath
