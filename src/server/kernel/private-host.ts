import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * Networks that belong to nobody on the internet: private, of one machine, for documents, for
 * tests.
 */
const NETWORKS_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

/**
 * Such networks of IPv6; some carry IPv4 inside: `::/96` and 6to4 lead wherever their last part
 * says.
 */
const NETWORKS_V6 = [
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const;

const PRIVATE = new BlockList();
for (const [net, bits] of NETWORKS_V4) {
  PRIVATE.addSubnet(net, bits, 'ipv4');
  // The same network as a gateway to IPv4 names it.
  PRIVATE.addSubnet(`64:ff9b::${net}`, 96 + bits, 'ipv6');
}
for (const [net, bits] of NETWORKS_V6) PRIVATE.addSubnet(net, bits, 'ipv6');

/** Returns the addresses of this machine, as the operating system names them at the moment. */
export type OwnAddresses = () => readonly string[];

const ofInterfaces: OwnAddresses = () =>
  Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));

/**
 * Returns true when `address` is this machine's, of a private network, or of nobody on the
 * internet. This machine's public address is among them: seen from inside, its firewall may be
 * open.
 */
export function isPrivateAddress(address: string, own: OwnAddresses = ofInterfaces): boolean {
  const family = isIP(address);
  if (family === 0 || PRIVATE.check(address, family === 4 ? 'ipv4' : 'ipv6')) return true;
  const machine = new BlockList();
  for (const one of own()) {
    machine.addAddress(one, isIP(one) === 4 ? 'ipv4' : 'ipv6');
    if (isIP(one) === 4) machine.addAddress(`64:ff9b::${one}`, 'ipv6');
  }
  return machine.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Returns the host as settings name it: lower case, an IPv6 address without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();

/**
 * Returns true when `url` names this machine or a private network by its address: the server calls
 * none.
 */
export function isPrivateHost(url: string, own: OwnAddresses = ofInterfaces): boolean {
  if (!URL.canParse(url)) return false;
  const host = hostOf(new URL(url));
  if (isIP(host) !== 0) return isPrivateAddress(host, own);
  return /^(.*\.)?localhost\.?$/.test(host);
}
