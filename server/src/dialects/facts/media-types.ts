import { ownMember } from '@tollgate/contract/own-member'

/** Media types by the names that clients write beside the registered ones (iana.org/assignments/media-types). */
const registered: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'application/x-pdf': 'application/pdf',
}

/**
 * The registered name of a media type; that of a picture without parameters. Anthropic takes image/jpeg, image/png, image/gif and image/webp
 * (platform.claude.com/docs/en/build-with-claude/vision).
 */
export const registeredType = (mediaType: string): string => {
  const [bare = mediaType] = mediaType.split(';', 1)
  const name = bare.trim().toLowerCase()
  return ownMember(registered, name) ?? (name.startsWith('image/') ? name : mediaType)
}
