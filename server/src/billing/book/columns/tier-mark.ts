/** Parts the name of a tier from a key of the catalogue, `flex/cache_read_mtok`; versions that do not know tiers pass such keys over. */
export const tierMark = '/'
