import { isIPv6 } from 'node:net'

const groupsOf = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))

/** Replaces a trailing dotted IPv4 address by two groups: `::ffff:1.2.3.4` → `::ffff:102:304`. */
const withoutDots = (address: string): string =>
  address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  )

/** The eight groups of an IPv6 address; undefined for anything else. A zone (`%eth0`) is left out. */
const ipv6Groups = (address: string): readonly number[] | undefined => {
  const bare = address.replace(/%.*$/, '')
  if (!isIPv6(bare)) return undefined
  const [head = '', tail] = withoutDots(bare).split('::')
  const [left, right] = [groupsOf(head), groupsOf(tail ?? '')]
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array.from({ length: zeros }, () => 0), ...right]
}

const dotted = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.')

/**
 * The IPv4 addresses that an IPv6 address may be routed to: mapped and translated forms (`::ffff:a.b.c.d`, `::ffff:0:a.b.c.d`),
 * the old compatible form (`::a.b.c.d`), NAT64 (`64:ff9b::/96`, `64:ff9b:1::/48`), 6to4 (`2002::/16`), Teredo (`2001::/32`,
 * server and client) and ISATAP (`…:5efe:a.b.c.d`). Empty where there are none.
 */
export const embeddedIpv4 = (address: string): readonly string[] => {
  const groups = ipv6Groups(address)
  if (groups === undefined) return []
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  const last = dotted(g, h)
  const found: string[] = []
  if (a === 0 && b === 0 && c === 0 && d === 0 && (e === 0 || e === 0xffff) && (f === 0 || f === 0xffff))
    found.push(last)
  if (a === 0x64 && b === 0xff9b) {
    // Of the local prefix, any length from 48 to 96 bits may be in use; octet 8 is always zero.
    found.push(last, dotted(d, ((e & 255) << 8) | (f >> 8)), dotted(((d & 255) << 8) | (e & 255), f))
    found.push(dotted(((e & 255) << 8) | (f >> 8), ((f & 255) << 8) | (g >> 8)))
  }
  if (a === 0x2002) found.push(dotted(b, c))
  if (a === 0x2001 && b === 0) found.push(dotted(c, d), dotted(g ^ 0xffff, h ^ 0xffff))
  if ((e === 0 || e === 0x200) && f === 0x5efe) found.push(last)
  return found
}

/** True if an IPv6 address lies in `2000::/3`, the only block that is routed on the internet. */
export const isGlobalUnicast = (address: string): boolean => {
  const [first = 0] = ipv6Groups(address) ?? []
  return first >> 13 === 1
}
