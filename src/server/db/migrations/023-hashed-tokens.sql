-- Codes and refresh tokens are kept as their SHA-256 alone: a copy of the database opens nothing.
update oidc_records
  set id = encode(sha256(convert_to(id, 'UTF8')), 'hex'), payload = payload - 'jti'
  where model in ('AuthorizationCode', 'RefreshToken');
