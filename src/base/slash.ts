/** An address or path without the slashes at its end, so that another part can be put behind it. */
export function withoutSlashAtEnd(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}
